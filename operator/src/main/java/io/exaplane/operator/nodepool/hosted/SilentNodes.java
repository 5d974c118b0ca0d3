// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.repair.RepairPlan;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deletes Nodes of hosts that are gone. A host's clock may be wrong, so the time in a Lease is
 * compared only with the time that the same Lease had at an earlier look. Thread-safe.
 */
final class SilentNodes {
  private static final String LEASES = "kube-node-lease";

  private final Map<String, Look> looks = new ConcurrentHashMap<>();

  /** What a Lease said; the version of the Node, too, changes when its kubelet speaks. */
  private record Look(Instant since, Optional<Instant> renewed, Instant at) {
    boolean isSame(Look later) {
      return since.equals(later.since) && renewed.equals(later.renewed);
    }
  }

  /**
   * Deletes Nodes, each only if it is still the very version that was seen, and if a look {@link
   * RepairPlan#STILL} ago or longer found the same Lease: a kubelet that is back renews it first.
   *
   * @return names of those that were deleted
   * @throws KubernetesClientException if the API does not answer, or refuses, before one was
   *     deleted: after that, the next call comes upon the same
   */
  List<String> delete(List<SilentNode> due, Instant now, KubernetesClient client) {
    looks.keySet().retainAll(due.stream().map(SilentNode::name).toList());
    List<String> deleted = new ArrayList<>();
    for (SilentNode node : due) {
      try {
        if (isStill(node, now, client)
            && NodeDeletion.delete(node.name(), node.resourceVersion(), client)) {
          deleted.add(node.name());
        }
      } catch (KubernetesClientException e) {
        if (deleted.isEmpty()) {
          throw e;
        }
        return deleted;
      }
    }
    return deleted;
  }

  private boolean isStill(SilentNode node, Instant now, KubernetesClient client) {
    Lease lease = client.leases().inNamespace(LEASES).withName(node.name()).get();
    Optional<Instant> renewed =
        Optional.ofNullable(lease)
            .map(Lease::getSpec)
            .map(spec -> spec.getRenewTime())
            .map(time -> time.toInstant());
    Look look = new Look(node.since(), renewed, now);
    Look first =
        looks.merge(node.name(), look, (before, later) -> before.isSame(later) ? before : later);
    return !now.isBefore(first.at().plus(RepairPlan.STILL));
  }
}
