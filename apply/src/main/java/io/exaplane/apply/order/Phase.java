// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.order;

import io.exaplane.apply.manifest.Gvk;
import java.util.Map;

/** The order of kinds within one wave. Deletions go the other way round. */
public enum Phase {
  /** Namespaces. */
  NAMESPACE,
  /** Definitions of kinds. */
  DEFINITION,
  /** Who may do what, and as whom. */
  ACCESS,
  /** What workloads read when they start. */
  CONFIG,
  /** What runs, and everything that is not named elsewhere. */
  WORKLOAD,
  /** What the API server calls, and so needs workloads that run. */
  CALLBACK;

  private static final Map<String, Phase> BY_KIND =
      Map.ofEntries(
          Map.entry("Namespace", NAMESPACE),
          Map.entry("CustomResourceDefinition.apiextensions.k8s.io", DEFINITION),
          Map.entry("ServiceAccount", ACCESS),
          Map.entry("Role.rbac.authorization.k8s.io", ACCESS),
          Map.entry("RoleBinding.rbac.authorization.k8s.io", ACCESS),
          Map.entry("ClusterRole.rbac.authorization.k8s.io", ACCESS),
          Map.entry("ClusterRoleBinding.rbac.authorization.k8s.io", ACCESS),
          Map.entry("PriorityClass.scheduling.k8s.io", CONFIG),
          Map.entry("RuntimeClass.node.k8s.io", CONFIG),
          Map.entry("StorageClass.storage.k8s.io", CONFIG),
          Map.entry("CSIDriver.storage.k8s.io", CONFIG),
          Map.entry("DeviceClass.resource.k8s.io", CONFIG),
          Map.entry("IngressClass.networking.k8s.io", CONFIG),
          Map.entry("LimitRange", CONFIG),
          Map.entry("ResourceQuota", CONFIG),
          Map.entry("NetworkPolicy.networking.k8s.io", CONFIG),
          Map.entry("ConfigMap", CONFIG),
          Map.entry("Secret", CONFIG),
          Map.entry("PersistentVolume", CONFIG),
          Map.entry("PersistentVolumeClaim", CONFIG),
          Map.entry("Service", CONFIG),
          Map.entry("APIService.apiregistration.k8s.io", CALLBACK),
          Map.entry("ValidatingAdmissionPolicy.admissionregistration.k8s.io", CALLBACK),
          Map.entry("ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", CALLBACK),
          Map.entry("MutatingAdmissionPolicy.admissionregistration.k8s.io", CALLBACK),
          Map.entry("MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", CALLBACK),
          Map.entry("ValidatingWebhookConfiguration.admissionregistration.k8s.io", CALLBACK),
          Map.entry("MutatingWebhookConfiguration.admissionregistration.k8s.io", CALLBACK));

  /**
   * The phase of a kind.
   *
   * @param groupKind {@link Gvk#groupKind}
   * @return {@link #WORKLOAD} for kinds that are not named here, such as custom ones
   */
  public static Phase of(String groupKind) {
    return BY_KIND.getOrDefault(groupKind, WORKLOAD);
  }

  /**
   * Whether deleting an object of this phase deletes objects of others.
   *
   * @return true for namespaces and definitions
   */
  public boolean holdsOthers() {
    return this == NAMESPACE || this == DEFINITION;
  }
}
