// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What nodes of pools may do in a hosted cluster beyond what Kubernetes lets every node do, and
 * what they may not. It stays when the pools are gone, since their nodes stay. Pure.
 */
final class NodeRights {
  private static final String RBAC = "rbac.authorization.k8s.io";

  /** Read once: each pass asks for them, and nobody changes them. */
  private static final List<HasMetadata> POD_CIDRS = read();

  private NodeRights() {}

  private static List<HasMetadata> read() {
    try (InputStream file = NodeRights.class.getResourceAsStream("/hosted/pod-cidrs.yaml")) {
      List<HasMetadata> objects = new KubernetesSerialization().unmarshal(file);
      return List.copyOf(objects);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A kubelet gives its Node no pod CIDRs: the policy, then its binding. */
  static List<HasMetadata> podCidrs() {
    return POD_CIDRS;
  }

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
