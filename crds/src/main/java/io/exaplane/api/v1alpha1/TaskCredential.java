// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What a task can replace by another one. */
public enum TaskCredential {
  /** The CA of the hosted cluster. */
  CA,
  /** The key that signs tokens of service accounts. */
  ServiceAccountKey,
  /** The key of {@code spec.encryption}. */
  EncryptionKey,
  /** The administrator's kubeconfig, and the group that has its rights. */
  AdminKubeconfig,
  /** All certificates of components, stores and the administrator. */
  Leaves;

  /** Whether the credential is replaced in two phases, in which pods are replaced. */
  public boolean isLongLived() {
    return this == CA || this == ServiceAccountKey || this == EncryptionKey;
  }
}
