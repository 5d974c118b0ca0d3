// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.Objects;

/**
 * What a control plane asks of the queue, as one pass sees it. Immutable.
 *
 * @param created whether all components ran once: the first creation is no rollout
 * @param replacesPods whether pods that are there are to be replaced
 * @param serves whether a kube-apiserver is ready
 * @param complete whether all pods are there, of the newest template
 * @param stuck whether pods did not become ready within their Deployment's deadline, or did not
 *     settle within that of the rollout
 */
public record Wish(
    boolean created, boolean replacesPods, boolean serves, boolean complete, boolean stuck) {
  /** From what was observed. */
  public static Wish of(Observed observed, boolean replacesPods) {
    ControlPlaneStatus status = observed.controlPlane().asked().getStatus();
    return new Wish(
        status != null && status.version() != null && status.version().current() != null,
        replacesPods,
        observed.deployment(ControlPlaneNames.API_SERVER).map(Rollout::ready).orElse(0) > 0,
        observed.deployments().stream().allMatch(Rollout::isComplete)
            && observed.shards().stream().allMatch(Wish::isComplete),
        observed.deployments().stream().anyMatch(Rollout::isStuck)
            || status != null && status.rollout() != null && status.rollout().stalledAt() != null);
  }

  private static boolean isComplete(StoreShard shard) {
    return ShardStates.isReady(shard)
        && Objects.equals(
            shard.getStatus().observedGeneration(), shard.getMetadata().getGeneration());
  }

  /** Whether nothing is left to do. */
  boolean isSettled() {
    return complete && !replacesPods;
  }
}
