// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;

/** How far the rotations of long-lived keys are. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RotationStatus(
    @JsonPropertyDescription("The CA of the hosted cluster.") Key ca,
    @JsonPropertyDescription("The key that signs service account tokens.") Key serviceAccountKey) {

  /** One key. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Key(
      @Required
          @JsonPropertyDescription(
              "Phase of the rotation. Preparing: the new key becomes trusted everywhere, and"
                  + " is then used. Prepared: the new key is used, and the old one still trusted."
                  + " Completing: the old key is taken out of use. Completed: only the new key is"
                  + " trusted.")
          RotationPhase phase,
      @JsonPropertyDescription("RFC 3339 time at which the phase began.") String since,
      @JsonPropertyDescription(
              "The components that still run with the keys of the step before, and nodes of"
                  + " NodePools that do not follow yet. The operator does not see the credentials"
                  + " of persons, and of kubelets outside of NodePools.")
          List<String> remaining) {}
}
