// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;

/** Who places a control plane's pods. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "(self.mode == 'Pool') == has(self.poolRef)",
    message = "scheduling.poolRef: belongs to mode Pool; set both or neither")
public record SchedulingSpec(
    @Default("Default")
        @JsonPropertyDescription(
            "Scheduler of the pods. Default: kube-scheduler; a pool that was in charge"
                + " keeps the Lease until you delete the pool. Pool: a SchedulerPool with the"
                + " schedulerName default-scheduler; the operator removes kube-scheduler when a"
                + " root of the pool is ready to take over. Default: Default.")
        SchedulingMode mode,
    @JsonPropertyDescription("The SchedulerPool, in the same namespace.") LocalRef poolRef) {

  /** The pool that takes kube-scheduler's place, or null. */
  public static String pool(SchedulingSpec spec) {
    return spec == null || spec.poolRef == null ? null : spec.poolRef.name();
  }
}
