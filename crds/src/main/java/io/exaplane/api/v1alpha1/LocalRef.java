// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** An object in the same namespace. */
public record LocalRef(
    @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the object.")
        String name) {}
