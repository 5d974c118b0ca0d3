// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** One aspect of the state, in the form of Kubernetes' own conditions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @Required @JsonPropertyDescription("Name of the aspect.") String type,
    @Required @JsonPropertyDescription("True, False or Unknown.") String status,
    @Required @JsonPropertyDescription("One word why.") String reason,
    @Required @JsonPropertyDescription("What it means, and what to do next by whom.")
        String message,
    @Required @JsonPropertyDescription("RFC 3339 time of the last change of status.")
        String lastTransitionTime,
    @JsonPropertyDescription("Generation of the spec that this condition speaks of.")
        Long observedGeneration) {

  public static final String TRUE = "True";
  public static final String FALSE = "False";
  public static final String UNKNOWN = "Unknown";
}
