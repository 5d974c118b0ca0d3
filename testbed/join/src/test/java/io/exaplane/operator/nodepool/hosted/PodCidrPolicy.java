// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.hosted.HostedBootstrap;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The operator's policy about what kubelets write, without a pass of a pool. */
public final class PodCidrPolicy {
  private PodCidrPolicy() {}

  /** Makes it as passes of pools with addresses do. */
  public static void apply(KubernetesClient client) {
    NodeRights.podCidrs().forEach(object -> HostedBootstrap.apply(client, object));
  }
}
