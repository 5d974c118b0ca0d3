// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Up to which load a new kube-apiserver counts as settled. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.requestP99) || self.requestP99" + SettleSpec.IS_TIME,
    messageExpression =
        "'rollout.settle.requestP99 ' + self.requestP99 + ': must be a number above 0 with ms or s,"
            + " for example 500ms; correct the time'",
    message =
        "rollout.settle.requestP99: must be a number above 0 with ms or s, for example 500ms; correct the"
            + " time")
public record SettleSpec(
    @Size(max = 7)
        @JsonPropertyDescription(
            "Largest 99th percentile of the duration of requests, without WATCH and other long"
                + " requests, for example 1s or 500ms. Durations above 60s are not told apart. Default: 1s.")
        String requestP99,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "Largest part of the requests that the server accepts at once, in percent. Default:"
                + " 70.")
        Integer inflightPercent,
    @Min(1)
        @Max(100_000)
        @JsonPropertyDescription(
            "Largest number of LISTs a second, including watches that begin with all objects."
                + " Default: 10.")
        Integer relistsPerSecond) {

  /** In a rule: that a text is a time that a request takes. */
  static final String IS_TIME = ".matches('^[1-9][0-9]{0,4}(ms|s)$')";
}
