// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;

/** How far the rotations of long-lived keys are. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RotationStatus(
    @JsonPropertyDescription("The CA of the hosted cluster.") Key ca,
    @JsonPropertyDescription("The key that signs service account tokens.") Key serviceAccountKey,
    @JsonPropertyDescription(
            "The key of spec.encryption. A change of spec.encryption is a rotation, too, which"
                + " completes by itself.")
        Key encryptionKey) {

  /** Without the key of encryption. */
  public RotationStatus(Key ca, Key serviceAccountKey) {
    this(ca, serviceAccountKey, null);
  }

  /** What is told of one key; null for nothing. */
  public Key key(TaskCredential credential) {
    return switch (credential) {
      case CA -> ca;
      case ServiceAccountKey -> serviceAccountKey;
      case EncryptionKey -> encryptionKey;
      case AdminKubeconfig, Leaves -> null;
    };
  }

  /** One key. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Key(
      @Required
          @JsonPropertyDescription(
              "Phase of the rotation. Preparing: the new key becomes trusted everywhere, and"
                  + " is then used. Prepared: the new key is used, and the old one still trusted."
                  + " Completing: the old key is taken out of use. Completed: only the new key is"
                  + " trusted.")
          RotationPhase phase,
      @JsonPropertyDescription("RFC 3339 time at which the phase began.") String since,
      @JsonPropertyDescription(
              "The components that still run with the keys of the step before, and nodes of"
                  + " NodePools that do not follow yet. The operator does not see the credentials"
                  + " of persons, and of kubelets outside of NodePools.")
          List<String> remaining,
      @JsonPropertyDescription(
              "Of encryptionKey: step, key, and the UID and revision of the Deployment of"
                  + " kube-apiserver with which the operator has written all encrypted objects"
                  + " again. The old key goes only after that.")
          String rewritten) {

    /** Of a key that rewrites nothing. */
    public Key(RotationPhase phase, String since, List<String> remaining) {
      this(phase, since, remaining, null);
    }
  }
}
