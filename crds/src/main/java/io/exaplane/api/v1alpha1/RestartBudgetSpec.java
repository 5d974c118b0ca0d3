// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** How many restarts a component may have. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.window) || self.window" + RestartBackoffSpec.IS_TIME,
    messageExpression = "'restart.budget.window ' + self.window" + RestartBackoffSpec.NO_TIME,
    message =
        "restart.budget.window: must be a number with s, m or h, for example 90s; correct the time")
@ValidationRule(
    value =
        "!has(self.window) || !self.window"
            + RestartBackoffSpec.IS_TIME
            + " || duration(self.window) >= duration('1m') && duration(self.window) <="
            + " duration('24h')",
    messageExpression =
        "'restart.budget.window ' + self.window + ': must be 1m to 24h, for example 10m; set such a time'",
    message = "restart.budget.window: must be 1m to 24h, for example 10m; set such a time")
public record RestartBudgetSpec(
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Number of restarts of one component within the window. Restarts by the kubelet count,"
                + " except while a dependency is away, and so do pods that the operator replaced."
                + " At that number, the condition RestartBudgetAvailable is False, and the operator"
                + " replaces no pod of that component. The hold ends with the window, or with a new"
                + " value of the annotation exaplane.io/release-restarts. Default: 5, or twice the"
                + " number of the component's pods if that is more.")
        Integer maxRestarts,
    @Size(max = 6)
        @JsonPropertyDescription("Time within which restarts count, for example 10m. Default: 10m.")
        String window) {}
