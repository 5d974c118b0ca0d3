// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;

/**
 * What nodes of pools may do in a hosted cluster beyond what Kubernetes lets every node do. It
 * stays when the pools are gone, since their nodes stay. Pure.
 */
final class NodeRights {
  private static final String RBAC = "rbac.authorization.k8s.io";

  private NodeRights() {}

  /** kube-proxy runs with the certificate of its node's kubelet. */
  static ClusterRoleBinding proxier() {
    return new ClusterRoleBindingBuilder()
        .withNewMetadata()
        .withName(NodePoolNames.PROXIER)
        .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .endMetadata()
        .withNewRoleRef(RBAC, "ClusterRole", "system:node-proxier")
        .addNewSubject(RBAC, "Group", "system:nodes", null)
        .build();
  }
}
