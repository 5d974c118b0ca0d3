// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import io.exaplane.apply.manifest.Gvk;
import java.util.Set;

/** Which kinds have no namespace, and which are Kubernetes' own. As kustomize sees them. Pure. */
final class Scopes {
  private static final Set<String> CLUSTER_SCOPED =
      Set.of(
          "Namespace",
          "Node",
          "PersistentVolume",
          "APIService.apiregistration.k8s.io",
          "CertificateSigningRequest.certificates.k8s.io",
          "ClusterTrustBundle.certificates.k8s.io",
          "ClusterRole.rbac.authorization.k8s.io",
          "ClusterRoleBinding.rbac.authorization.k8s.io",
          "CSIDriver.storage.k8s.io",
          "CSINode.storage.k8s.io",
          "StorageClass.storage.k8s.io",
          "VolumeAttachment.storage.k8s.io",
          "VolumeAttributesClass.storage.k8s.io",
          "CustomResourceDefinition.apiextensions.k8s.io",
          "DeviceClass.resource.k8s.io",
          "ResourceSlice.resource.k8s.io",
          "FlowSchema.flowcontrol.apiserver.k8s.io",
          "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io",
          "IngressClass.networking.k8s.io",
          "IPAddress.networking.k8s.io",
          "ServiceCIDR.networking.k8s.io",
          "MutatingWebhookConfiguration.admissionregistration.k8s.io",
          "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
          "MutatingAdmissionPolicy.admissionregistration.k8s.io",
          "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
          "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
          "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
          "PodSecurityPolicy.policy",
          "PriorityClass.scheduling.k8s.io",
          "RuntimeClass.node.k8s.io");

  private Scopes() {}

  static boolean isClusterScoped(Gvk gvk) {
    return CLUSTER_SCOPED.contains(gvk.groupKind());
  }

  /** Whether Kubernetes itself serves the group, so that its lists have known keys. */
  static boolean isBuiltIn(Gvk gvk) {
    return !gvk.group().contains(".") || gvk.group().endsWith(".k8s.io");
  }
}
