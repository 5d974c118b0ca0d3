// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** One aspect of the state, in the form of Kubernetes' own conditions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @Required @JsonPropertyDescription("Type of the condition.") String type,
    @Required @JsonPropertyDescription("True, False or Unknown.") String status,
    @Required @JsonPropertyDescription("Reason in one word.") String reason,
    @Required @JsonPropertyDescription("Meaning of the condition, and the next action.")
        String message,
    @Required @JsonPropertyDescription("RFC 3339 time of the last change of the status.")
        String lastTransitionTime,
    @JsonPropertyDescription("Generation of the spec that this condition describes.")
        Long observedGeneration) {

  public static final String TRUE = "True";
  public static final String FALSE = "False";
  public static final String UNKNOWN = "Unknown";
}
