// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
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
        "pki.leafValidity: must be 3m to 87600h, as 8760h, since shorter certificates can "
            + "expire before every component loads the next ones; choose a longer time")
public record PkiSpec(
    @Default("8760h")
        @Size(max = 16)
        @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$")
        @JsonPropertyDescription(
            "Validity of leaf certificates. The operator renews a certificate when a third of the "
                + "time is left.")
        String leafValidity) {

  private static final Duration DEFAULT_LEAF_VALIDITY = Duration.ofHours(8760);

  /** How long leaf certificates are valid, with the default filled in. */
  public static Duration leafValidity(PkiSpec pki) {
    return pki == null || pki.leafValidity == null
        ? DEFAULT_LEAF_VALIDITY
        : Duration.parse("PT" + pki.leafValidity.toUpperCase(java.util.Locale.ROOT));
  }
}
