// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.client.KubernetesClient;

/** The operator's own approval of kubelets' serving certificates, in one cluster. Any thread. */
public final class FollowedServing implements AutoCloseable {
  private final KubeletServingApprover approver;

  private FollowedServing(KubeletServingApprover approver) {
    this.approver = approver;
  }

  /** Begins to approve. */
  public static FollowedServing start(KubernetesClient client, ServingRules rules) {
    KubeletServingApprover approver = new KubeletServingApprover(client, "test", () -> rules);
    approver.start();
    return new FollowedServing(approver);
  }

  @Override
  public void close() {
    approver.close();
  }
}
