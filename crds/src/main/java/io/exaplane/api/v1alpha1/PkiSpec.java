// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.exaplane.api.duration.Durations;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;

/** Certificates of a control plane. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.leafValidity) || (self.leafValidity != '' && duration(self.leafValidity) >="
            + " duration('3m') && duration(self.leafValidity) <= duration('87600h'))",
    message =
        "pki.leafValidity: must be 3m to 87600h, for example 8760h, since shorter certificates can "
            + "expire before every component loads the next ones; choose a longer time")
@ValidationRule(
    value =
        "!has(self.adminKubeconfigValidity) || (self.adminKubeconfigValidity != '' &&"
            + " duration(self.adminKubeconfigValidity) >= duration('10m') &&"
            + " duration(self.adminKubeconfigValidity) <= duration('87600h'))",
    message =
        "pki.adminKubeconfigValidity: must be 10m to 87600h, for example 24h, since a person needs"
            + " time to use the kubeconfig; choose a time in this range")
public record PkiSpec(
    @Default("8760h")
        @Size(max = 16)
        @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$")
        @JsonPropertyDescription(
            "Validity of leaf certificates, for example 720h. The operator renews a"
                + " certificate when a third of the time is left. Default: 8760h.")
        String leafValidity,
    @Size(max = 16)
        @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$")
        @JsonPropertyDescription(
            "Validity of the administrator's kubeconfig, for example 24h. The operator renews the"
                + " kubeconfig in its Secret when a third of the time is left. Copies of the"
                + " kubeconfig expire with their own certificates. Default: leafValidity.")
        String adminKubeconfigValidity,
    @Min(0)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Number of the group of administrators. A higher number takes the rights of all earlier"
                + " administrators' kubeconfigs away within seconds and issues a new kubeconfig."
                + " Kubeconfigs of operators before this field have the group system:masters, which"
                + " only a rotation of the CA cuts off. Default: 0.")
        Integer adminKubeconfigRevision,
    @JsonPropertyDescription(
            "Rotation of long-lived keys in two phases: Prepare, then Complete. Remove the field"
                + " after phase Completed; Prepare then begins the next rotation. The CA of the"
                + " front proxy and the CA between kube-apiservers and stores are not rotated.")
        RotationSpec rotation) {

  private static final Duration DEFAULT_LEAF_VALIDITY = Duration.ofHours(8760);

  /** Certificates without a rotation. */
  public PkiSpec(
      String leafValidity, String adminKubeconfigValidity, Integer adminKubeconfigRevision) {
    this(leafValidity, adminKubeconfigValidity, adminKubeconfigRevision, null);
  }

  /** What is asked of rotations. */
  public static RotationSpec rotation(PkiSpec pki) {
    return pki == null || pki.rotation == null ? RotationSpec.NONE : pki.rotation;
  }

  /** How long leaf certificates are valid, with the default filled in. */
  public static Duration leafValidity(PkiSpec pki) {
    return pki == null
        ? DEFAULT_LEAF_VALIDITY
        : Durations.parse(pki.leafValidity, DEFAULT_LEAF_VALIDITY);
  }

  /** How long the administrator's kubeconfig is valid, with the default filled in. */
  public static Duration adminKubeconfigValidity(PkiSpec pki) {
    return pki == null || pki.adminKubeconfigValidity == null
        ? leafValidity(pki)
        : Durations.parse(pki.adminKubeconfigValidity);
  }

  /** The number of the group of administrators. */
  public static int adminKubeconfigRevision(PkiSpec pki) {
    return pki == null || pki.adminKubeconfigRevision == null ? 0 : pki.adminKubeconfigRevision;
  }
}
