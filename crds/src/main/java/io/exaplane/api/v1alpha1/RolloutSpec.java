// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** When running pods take what a new operator renders. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RolloutSpec(
    @Size(max = 63)
        @Pattern("^[A-Za-z0-9][A-Za-z0-9._-]*$")
        @JsonPropertyDescription(
            "The bundle of flags, images and templates: the one in status.bundle, or the one of the"
                + " running operator, which the condition OperatorUpdatePending names. The bundle of"
                + " the running operator replaces pods where the bundles differ, stores first."
                + " Default: the bundle in status.bundle.")
        String bundle) {

  /** The bundle that is asked for, or null. */
  public static String bundle(RolloutSpec rollout) {
    return rollout == null ? null : rollout.bundle();
  }
}
