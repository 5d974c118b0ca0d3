// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;

/** Deletes Nodes of hosts that are gone. Stateless. */
final class SilentNodes {
  private static final String LEASES = "kube-node-lease";

  private SilentNodes() {}

  /**
   * Deletes Nodes, each only if it is still the very version that was seen, and if nobody renewed
   * its Lease since: a kubelet that is back does that first.
   *
   * @return names of those that were deleted
   * @throws KubernetesClientException if the API does not answer, or refuses
   */
  static List<String> delete(List<SilentNode> due, KubernetesClient client) {
    return due.stream()
        .filter(node -> !isBack(node, client))
        .filter(node -> delete(node, client))
        .map(SilentNode::name)
        .toList();
  }

  private static boolean isBack(SilentNode node, KubernetesClient client) {
    Lease lease = client.leases().inNamespace(LEASES).withName(node.name()).get();
    return Optional.ofNullable(lease)
        .map(Lease::getSpec)
        .map(spec -> spec.getRenewTime())
        .filter(renewed -> renewed.toInstant().isAfter(node.since()))
        .isPresent();
  }

  private static boolean delete(SilentNode node, KubernetesClient client) {
    try {
      return !client
          .nodes()
          .withName(node.name())
          .lockResourceVersion(node.resourceVersion())
          .delete()
          .isEmpty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        // Somebody wrote it meanwhile: the next look decides again.
        return false;
      }
      throw e;
    }
  }
}
