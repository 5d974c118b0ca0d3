// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A resource by API group and plural name. */
public record ResourceRef(
    @Required
        @Size(max = 63)
        @JsonPropertyDescription(
            "API group, for example coordination.k8s.io; \"\" for the core group.")
        String group,
    @Required @Size(min = 1, max = 63) @JsonPropertyDescription("Plural name, for example leases.")
        String resource) {

  @Override
  public String toString() {
    return group + "/" + resource;
  }
}
