// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;

/**
 * Values of kube-apiserver that take the place of the tuning model's, one by one. Others can be
 * given as {@code extraArgs}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApiServerTuning(
    @Min(1)
        @Max(100_000)
        @JsonPropertyDescription(
            "Number of reads that each kube-apiserver works on at once"
                + " (--max-requests-inflight). Default: the tuning model's.")
        Integer maxRequestsInflight,
    @Min(0)
        @Max(100_000)
        @JsonPropertyDescription(
            "Number of writes that each kube-apiserver works on at once"
                + " (--max-mutating-requests-inflight). API priority and fairness distributes the"
                + " sum of this limit and maxRequestsInflight. Default: the tuning model's.")
        Integer maxMutatingRequestsInflight,
    @Pattern("^0(\\.0[0-9]{0,4})?$")
        @JsonPropertyDescription(
            "Share of HTTP/2 requests after which a client connects again, perhaps to"
                + " another kube-apiserver (--goaway-chance), for example 0.001. kube-apiserver"
                + " accepts values up to 0.02. Must be 0 with a single replica. Default: the"
                + " tuning model's.")
        String goawayChance,
    @Pattern("^[0-9]{1,4}s$")
        @JsonPropertyDescription(
            "Time for which a kube-apiserver that ends still serves, so that clients learn"
                + " of the others (--shutdown-delay-duration), in seconds, for example 70s."
                + " Default: the tuning model's.")
        String shutdownDelay,
    @Min(10)
        @Max(10_000)
        @JsonPropertyDescription(
            "GOGC, in percent. Needs resources.limits.memory or the model's limit."
                + " Default: the tuning model's.")
        Integer goGC,
    @Min(50)
        @Max(95)
        @JsonPropertyDescription(
            "GOMEMLIMIT, in percent of the container's memory limit. Default: the tuning"
                + " model's.")
        Integer goMemLimitPercent,
    @JsonPropertyDescription(
            "Managed: the operator keeps its FlowSchemas and PriorityLevelConfigurations in the"
                + " hosted cluster at the model's values. Unmanaged: the operator does not change"
                + " them. Default: Managed.")
        FlowControlManagement flowControl) {

  private static final ApiServerTuning NONE =
      new ApiServerTuning(null, null, null, null, null, null, null);

  /** What the spec overrides; nothing without it. */
  public static ApiServerTuning of(ApiServerSpec spec) {
    return spec == null || spec.tuning() == null ? NONE : spec.tuning();
  }

  /** Whether the operator keeps flow schemas and priority levels in the hosted cluster. */
  public boolean managesFlowControl() {
    return flowControl != FlowControlManagement.Unmanaged;
  }
}
