// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Deletes Nodes as they were seen. Any thread. */
final class NodeDeletion {
  private NodeDeletion() {}

  /**
   * Whether the Node was there and is deleted. A Node that somebody wrote meanwhile stays: the next
   * look decides about that one.
   *
   * @throws KubernetesClientException for any other refusal
   */
  static boolean delete(String name, String resourceVersion, KubernetesClient client) {
    try {
      return !client.nodes().withName(name).lockResourceVersion(resourceVersion).delete().isEmpty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return false;
      }
      throw e;
    }
  }
}
