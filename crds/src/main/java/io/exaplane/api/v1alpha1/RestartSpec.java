// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How the operator restarts what it runs; the same for every Kind. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RestartSpec(
    @JsonPropertyDescription(
            "Delay between the return of a dependency and the replacement of a pod that waits in"
                + " CrashLoopBackOff. The delay grows with each outage that follows soon.")
        RestartBackoffSpec backoff,
    @JsonPropertyDescription(
            "Number of restarts after which the operator replaces no further pod of a component.")
        RestartBudgetSpec budget,
    @Min(1)
        @Max(600)
        @JsonPropertyDescription(
            "Largest number of pods that the operator replaces a minute after an outage. If a"
                + " component of a ControlPlane has more pods than this, those that waited for the"
                + " same dependency start over so many minutes. A change replaces the pods of such"
                + " components. Default: 10.")
        Integer releasePerMinute) {

  private static final int RELEASE_PER_MINUTE = 10;

  /** How many pods are replaced a minute, with the default filled in. */
  public static int releasePerMinute(RestartSpec spec) {
    return spec == null || spec.releasePerMinute == null
        ? RELEASE_PER_MINUTE
        : spec.releasePerMinute;
  }
}
