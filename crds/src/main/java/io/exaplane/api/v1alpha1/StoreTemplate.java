// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** A store that the control plane owns; it becomes a StoreShard. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreTemplate(
    @Required
        @Size(min = 1, max = 20)
        @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the store within the control plane.")
        String name,
    @Default("Critical")
        @JsonPropertyDescription(
            "Critical: the control plane is not Available without it. BestEffort: it may be lost;"
                + " for events only.")
        Criticality criticality,
    @JsonPropertyDescription("Where the data is kept. Default: EmptyDir.") VolumeSpec storage,
    @JsonPropertyDescription("Requests and limits of the store's container, as in a pod.")
        ResourceRequirements resources) {

  /** How much the control plane depends on the store, with the default filled in. */
  public Criticality effectiveCriticality() {
    return criticality == null ? Criticality.Critical : criticality;
  }
}
