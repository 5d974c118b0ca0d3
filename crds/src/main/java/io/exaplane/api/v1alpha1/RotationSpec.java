// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Rotation of long-lived keys. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RotationSpec(
    @JsonPropertyDescription(
            "The CA of the hosted cluster, which issues the certificates of"
                + " kube-apiservers, kubelets, controllers and the administrator. Prepare creates"
                + " a new CA, which all components trust beside the old one, and issues clients'"
                + " certificates from the new CA. Nodes of NodePools follow by themselves. Give"
                + " the new bundle to other nodes and to your own kubeconfigs. Complete waits"
                + " until the nodes of NodePools have followed; the annotation"
                + " exaplane.io/rotation-override continues without them. Complete issues"
                + " servers' certificates from the new CA, and removes the old CA from every"
                + " bundle. Credentials of the old CA are refused from then on. Default: no"
                + " rotation.")
        RotationWish ca,
    @JsonPropertyDescription(
            "The key that signs service account tokens. Prepare creates a new key, which"
                + " signs when every kube-apiserver verifies with both. Complete removes the old"
                + " key, and its tokens are refused from then on. Kubelets renew the tokens of"
                + " pods within an hour; create Secrets with tokens again. Default: no rotation.")
        RotationWish serviceAccountKey,
    @JsonPropertyDescription(
            "The key of spec.encryption. Prepare creates a new key. kube-apiservers encrypt with it"
                + " as soon as all of them can read it, and the operator then writes all encrypted"
                + " objects again. Complete waits until that is done, and removes the old key."
                + " Default: no rotation.")
        RotationWish encryptionKey) {
  static final RotationSpec NONE = new RotationSpec(null, null);

  /** Without the key of encryption. */
  public RotationSpec(RotationWish ca, RotationWish serviceAccountKey) {
    this(ca, serviceAccountKey, null);
  }

  /** What is asked of one key; null for nothing. */
  public RotationWish wish(TaskCredential credential) {
    return switch (credential) {
      case CA -> ca;
      case ServiceAccountKey -> serviceAccountKey;
      case EncryptionKey -> encryptionKey;
      case AdminKubeconfig, Leaves -> null;
    };
  }
}
