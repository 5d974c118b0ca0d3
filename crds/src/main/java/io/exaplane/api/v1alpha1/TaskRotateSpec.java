// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.exaplane.api.duration.Durations;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;

/** Which credential is replaced, and how far. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.credential != 'CA' || has(self.complete)",
    message =
        "rotate.complete: must be set for the credential CA, since nodes that do not trust the new"
            + " CA are cut off when the old CA goes; set Automatic if all nodes take the new bundle"
            + " within rotate.completeAfter, or Manual to complete the rotation yourself")
@ValidationRule(
    value =
        "!has(self.complete) && !has(self.completeAfter) || self.credential in ['CA',"
            + " 'ServiceAccountKey', 'EncryptionKey']",
    message =
        "rotate.complete, rotate.completeAfter: are for the credentials CA, ServiceAccountKey"
            + " and EncryptionKey only, since others have no phases; remove the fields")
@ValidationRule(
    value = "!has(self.completeAfter) || !has(self.complete) || self.complete == 'Automatic'",
    message =
        "rotate.completeAfter: is for Automatic only, since with Manual the task does not complete"
            + " the rotation; remove the field, or set rotate.complete to Automatic")
@ValidationRule(
    value =
        "!has(self.completeAfter) || self.completeAfter != '' && duration(self.completeAfter) <="
            + " duration('720h')",
    message =
        "rotate.completeAfter: must be 0s to 720h, for example 24h; choose a time in this range")
public record TaskRotateSpec(
    @Required
        @JsonPropertyDescription(
            "The credential that is replaced. CA: the CA of the hosted cluster, by the"
                + " phases of spec.pki.rotation of the ControlPlane, without that field."
                + " ServiceAccountKey: the key that signs tokens, by the same phases."
                + " EncryptionKey: the key of spec.encryption, by the same phases. AdminKubeconfig: raises spec.pki.adminKubeconfigRevision by 1, so that"
                + " earlier kubeconfigs of the administrator lose all rights. Leaves: issues all"
                + " leaf certificates again.")
        TaskCredential credential,
    @JsonPropertyDescription(
            "Automatic: the task removes the old key completeAfter after all components use the new"
                + " one. Manual: the task ends when all components use the new key, and both keys"
                + " are trusted until you set spec.pki.rotation of the ControlPlane to Complete."
                + " Required for CA. Default for ServiceAccountKey and"
                + " EncryptionKey: Automatic.")
        TaskCompletion complete,
    @Size(max = 16)
        @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$")
        @JsonPropertyDescription(
            "How long both keys are trusted, for example 24h. Everybody outside has to follow in"
                + " that time: nodes and kubeconfigs for CA, tokens for ServiceAccountKey. Default:"
                + " 1h, the time in which kubelets renew the tokens of pods; 0s for EncryptionKey,"
                + " which only kube-apiservers have.")
        String completeAfter) {

  private static final Duration AN_HOUR = Duration.ofHours(1);

  /** Whether the old key goes by itself, with the default filled in. */
  public boolean completesByItself() {
    return credential.isLongLived() && complete != TaskCompletion.Manual;
  }

  /** How long both keys are trusted, with the default filled in. */
  public Duration bothTrusted() {
    return Durations.parse(
        completeAfter, credential == TaskCredential.EncryptionKey ? Duration.ZERO : AN_HOUR);
  }
}
