// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** How long the operator waits before it replaces pods after an outage. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.initial) || self.initial" + RestartBackoffSpec.IS_TIME,
    messageExpression = "'restart.backoff.initial ' + self.initial" + RestartBackoffSpec.NO_TIME,
    message =
        "restart.backoff.initial: must be a number with s, m or h, for example 90s; correct the"
            + " time")
@ValidationRule(
    value = "!has(self.max) || self.max" + RestartBackoffSpec.IS_TIME,
    messageExpression = "'restart.backoff.max ' + self.max" + RestartBackoffSpec.NO_TIME,
    message =
        "restart.backoff.max: must be a number with s, m or h, for example 90s; correct the time")
@ValidationRule(
    value = "!has(self.resetAfter) || self.resetAfter" + RestartBackoffSpec.IS_TIME,
    messageExpression =
        "'restart.backoff.resetAfter ' + self.resetAfter" + RestartBackoffSpec.NO_TIME,
    message =
        "restart.backoff.resetAfter: must be a number with s, m or h, for example 90s; correct the"
            + " time")
@ValidationRule(
    value =
        "duration("
            + RestartBackoffSpec.INITIAL
            + ") >= duration('1s') && duration("
            + RestartBackoffSpec.MAX
            + ") >= duration("
            + RestartBackoffSpec.INITIAL
            + ") && duration("
            + RestartBackoffSpec.MAX
            + ") <= duration('24h')",
    messageExpression =
        "'restart.backoff: initial ' + "
            + RestartBackoffSpec.INITIAL
            + " + ' and max ' + "
            + RestartBackoffSpec.MAX
            + " + ': initial must be at least 1s, and max must be from initial to 24h; set both'",
    message =
        "restart.backoff: initial must be at least 1s, and max must be from initial to 24h; set"
            + " both")
@ValidationRule(
    value =
        "duration("
            + RestartBackoffSpec.RESET
            + ") >= duration("
            + RestartBackoffSpec.MAX
            + ") && duration("
            + RestartBackoffSpec.RESET
            + ") <= duration('720h')",
    messageExpression =
        "'restart.backoff.resetAfter ' + "
            + RestartBackoffSpec.RESET
            + " + ': must be from max, which is ' + "
            + RestartBackoffSpec.MAX
            + " + ', to 720h, or the delay would never grow that far; set a longer time'",
    message =
        "restart.backoff.resetAfter: must be from max to 720h, or the delay would never grow that"
            + " far; set a longer time")
public record RestartBackoffSpec(
    @Size(max = 6)
        @JsonPropertyDescription(
            "Delay after the first outage, for example 1s, 2m or 1h. Default: 1s.")
        String initial,
    @Min(1)
        @Max(10)
        @JsonPropertyDescription(
            "Number of times by which each outage that follows makes the delay longer."
                + " Default: 2.")
        Integer factor,
    @Size(max = 6) @JsonPropertyDescription("Longest delay, before jitter. Default: 60s.")
        String max,
    @Min(0)
        @Max(100)
        @JsonPropertyDescription(
            "Largest part of the delay that is added to it, so that control planes with the same"
                + " outage do not act at the same moment. Default: 20.")
        Integer jitterPercent,
    @Size(max = 6)
        @JsonPropertyDescription(
            "Time without a replacement after which the next delay is initial again. Default: 10m.")
        String resetAfter) {

  /** In a rule: that a text is a time. */
  static final String IS_TIME = ".matches('^[0-9]{1,5}(s|m|h)$')";

  /** In the message of a rule, after the field and its value. */
  static final String NO_TIME =
      " + ': must be a number with s, m or h, for example 90s; correct the time'";

  static final String INITIAL =
      "(has(self.initial) && self.initial" + IS_TIME + " ? self.initial : '1s')";
  static final String MAX = "(has(self.max) && self.max" + IS_TIME + " ? self.max : '60s')";
  static final String RESET =
      "(has(self.resetAfter) && self.resetAfter" + IS_TIME + " ? self.resetAfter : '10m')";
}
