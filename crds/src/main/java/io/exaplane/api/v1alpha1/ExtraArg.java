// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One command-line flag for a component. */
public record ExtraArg(
    @Required
        @Size(max = 64)
        @Pattern("^[a-z0-9][a-z0-9-]*$")
        @JsonPropertyDescription("The flag's name without leading dashes.")
        String name,
    @Required
        @Size(max = 1024)
        @JsonPropertyDescription("The flag's value, for example 2 or a list with commas.")
        String value) {

  /** The flag as the component takes it. */
  public String flag() {
    return "--" + name + "=" + value;
  }
}
