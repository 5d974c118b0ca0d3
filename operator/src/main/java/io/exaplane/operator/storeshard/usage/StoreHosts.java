// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Where a store can be asked. Its Service leads to ready pods only. A store whose disk is full, or
 * does not answer, is not ready, and then its pod says why. Pure.
 */
final class StoreHosts {
  private static final Set<String> NO_READY_POD =
      Set.of(Reason.Starting.name(), Reason.StoreUnavailable.name());

  private StoreHosts() {}

  /** The Service's host; nothing without an address, or while no pod is ready. */
  static Optional<String> ofService(StoreShard shard) {
    return Optional.ofNullable(shard.getStatus())
        .filter(status -> status.endpoint() != null && mayAnswer(status))
        .map(status -> URI.create(status.endpoint()).getHost());
  }

  /**
   * The address of the store's pod; nothing while its process does not run. A pod without a node
   * has no address, so a fleet without room costs no connection.
   */
  static Optional<String> ofPod(StoreShard shard, Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getMetadata().getName().equals(shard.getMetadata().getName() + "-0"))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(Pod::getStatus)
        .filter(status -> status != null && status.getPodIP() != null && runs(status))
        .map(status -> IpAddresses.urlHost(status.getPodIP()))
        .findFirst();
  }

  private static boolean runs(PodStatus status) {
    return status.getContainerStatuses() != null
        && status.getContainerStatuses().stream()
            .anyMatch(
                container ->
                    container.getState() != null && container.getState().getRunning() != null);
  }

  /**
   * Whether a pod may be ready. Ready is false for other reasons as well, while a pod that answered
   * before goes on answering.
   */
  static boolean mayAnswer(StoreShardStatus status) {
    return status.conditions() != null
        && status.conditions().stream()
            .filter(condition -> condition.type().equals(ConditionType.Ready.name()))
            .anyMatch(
                ready ->
                    ready.status().equals(Condition.TRUE)
                        || (status.startTime() != null && !NO_READY_POD.contains(ready.reason())));
  }
}
