// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * What is to be said of the node of a store that does not serve: a pod on a node that is dead goes
 * nowhere by itself, and nothing else says so. Pure.
 */
final class StoreNode {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  private StoreNode() {}

  /**
   * Why a pod stays where it is, and what to do; nothing of a node that is well.
   *
   * @param node the pod's, if it is there
   */
  static Optional<String> words(StoreShard shard, Pod pod, Optional<Node> node) {
    String name = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    if (name == null) {
      return Optional.empty();
    }
    String place = "Pod %s is on node %s, ".formatted(pod.getMetadata().getName(), name);
    if (node.isEmpty()) {
      return Optional.of(
          place
              + "which no longer exists. Kubernetes removes the pod within a minute, and its"
              + " StatefulSet creates another one. If this persists, see 'kubectl describe"
              + " statefulset'.");
    }
    Optional<NodeCondition> ready =
        condition(node.get()).filter(c -> !"True".equals(c.getStatus()));
    if (ready.isEmpty()) {
      return Optional.empty();
    }
    String state =
        place
            + ("Unknown".equals(ready.get().getStatus())
                    ? "which has not answered since %s. "
                    : "which is not ready since %s. ")
                .formatted(ready.get().getLastTransitionTime());
    return Optional.of(
        state
            + (isOutOfService(node.get())
                ? "The node is marked as out of service, so the pod leaves it; remove the taint"
                    + " before the node returns."
                : next(shard, pod, name)));
  }

  private static String next(StoreShard shard, Pod pod, String node) {
    if (StoreNames.isPersistent(shard)) {
      return "The volume can be attached to one node only, so the store starts elsewhere only when the node is back or marked as out of service. If the node is lost for good, run 'kubectl taint nodes %s %s=nodeshutdown:NoExecute'. The pod and its volume then move, unless the volume is a disk of that node. Never do this while the node may still run, since two pods would write to one volume."
          .formatted(node, OUT_OF_SERVICE);
    }
    String remove =
        "'kubectl -n %s delete pod %s --force'"
            .formatted(shard.getMetadata().getNamespace(), pod.getMetadata().getName());
    return StoreNames.dataGoesWithPod(shard)
        ? "The data is in an EmptyDir on that node, so bring the node back. If the node is lost for good, the data is lost, too; let the store start empty elsewhere: %s."
            .formatted(remove)
        : "Bring the node back, or let the store start empty elsewhere: %s.".formatted(remove);
  }

  private static Optional<NodeCondition> condition(Node node) {
    return node.getStatus() == null || node.getStatus().getConditions() == null
        ? Optional.empty()
        : node.getStatus().getConditions().stream()
            .filter(condition -> "Ready".equals(condition.getType()))
            .findFirst();
  }

  private static boolean isOutOfService(Node node) {
    return node.getSpec() != null
        && node.getSpec().getTaints() != null
        && node.getSpec().getTaints().stream()
            .anyMatch(taint -> OUT_OF_SERVICE.equals(taint.getKey()));
  }
}
