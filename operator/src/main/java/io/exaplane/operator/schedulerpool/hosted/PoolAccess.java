// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * What a pool may do in a hosted cluster beyond what Kubernetes lets kube-scheduler do: have a
 * Lease of another name.
 */
public final class PoolAccess {
  private static final String NAMESPACE = "kube-system";
  private static final String RBAC = "rbac.authorization.k8s.io";

  private PoolAccess() {}

  /** Makes what is not there. */
  public static void ensure(SchedulerPool pool, KubernetesClient client) {
    for (HasMetadata object : objects(pool.getSpec().leaseName())) {
      if (client.resource(object).get() == null) {
        client
            .resource(object)
            .fieldManager("exaplane-operator")
            .forceConflicts()
            .serverSideApply();
      }
    }
  }

  /** None for kube-scheduler's own Lease. Pure. */
  static List<HasMetadata> objects(String lease) {
    if (lease.equals("kube-scheduler")) {
      return List.of();
    }
    return List.of(
        new RoleBuilder()
            .withNewMetadata()
            .withName(lease)
            .withNamespace(NAMESPACE)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .addNewRule()
            .withApiGroups("coordination.k8s.io")
            .withResources("leases")
            .withResourceNames(lease)
            .withVerbs("get", "update", "patch")
            .endRule()
            .build(),
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName(lease)
            .withNamespace(NAMESPACE)
            .addToLabels(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .endMetadata()
            .withNewRoleRef(RBAC, "Role", lease)
            .addNewSubject(RBAC, "User", "system:kube-scheduler", null)
            .build());
  }
}
