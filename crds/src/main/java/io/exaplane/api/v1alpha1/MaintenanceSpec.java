// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Times at which the operator may move pods to its own bundle without being asked. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.duration) || self.duration" + RestartBackoffSpec.IS_TIME,
    messageExpression = "'maintenance.duration ' + self.duration" + RestartBackoffSpec.NO_TIME,
    message =
        "maintenance.duration: must be a number with s, m or h, for example 2h; correct the time")
@ValidationRule(
    value =
        "!has(self.duration) || !self.duration"
            + RestartBackoffSpec.IS_TIME
            + " || duration(self.duration) >= duration('10m') && duration(self.duration) <="
            + " duration('24h')",
    messageExpression =
        "'maintenance.duration ' + self.duration + ': must be 10m to 24h, for example 2h; set such"
            + " a time'",
    message = "maintenance.duration: must be 10m to 24h, for example 2h; set such a time")
@ValidationRule(
    value = "self.cron.matches('" + MaintenanceSpec.CRON + "')",
    messageExpression =
        "'maintenance.cron ' + self.cron + ': must have five fields of cron with numbers in their"
            + " ranges, as 0 2 * * 6; correct the fields'",
    message =
        "maintenance.cron: must have five fields of cron with numbers in their ranges, as 0 2 * *"
            + " 6; correct the fields")
public record MaintenanceSpec(
    @Required
        @Size(max = 100)
        @JsonPropertyDescription(
            "Start of each window, in the five fields of cron with numbers: minute, hour,"
                + " day of the month, month, day of the week. For example '0 2 * * 6' for"
                + " Saturdays at 2.")
        String cron,
    @Size(max = 6)
        @JsonPropertyDescription(
            "Length of a window, for example 2h. A move that begins in a window continues after its"
                + " end. Default: 2h.")
        String duration,
    @Size(max = 64)
        @Pattern("^[A-Za-z][A-Za-z0-9+_/-]*$")
        @JsonPropertyDescription(
            "Time zone of the IANA database in which cron counts, for example Europe/Berlin."
                + " Default: UTC.")
        String timeZone) {

  private static final String STEP = "(/[1-9][0-9]?)?";
  private static final String MINUTE = "([*]|[0-5]?[0-9](-[0-5]?[0-9])?)" + STEP;
  private static final String HOUR = "([*]|([01]?[0-9]|2[0-3])(-([01]?[0-9]|2[0-3]))?)" + STEP;
  private static final String DAY =
      "([*]|(0?[1-9]|[12][0-9]|3[01])(-(0?[1-9]|[12][0-9]|3[01]))?)" + STEP;
  private static final String MONTH = "([*]|(0?[1-9]|1[0-2])(-(0?[1-9]|1[0-2]))?)" + STEP;
  private static final String DAY_OF_WEEK = "([*]|[0-7](-[0-7])?)" + STEP;

  /** Five fields with what cron takes in each. */
  public static final String CRON =
      ("^" + MINUTE + "(," + MINUTE + ")*")
          + (" +" + HOUR + "(," + HOUR + ")*")
          + (" +" + DAY + "(," + DAY + ")*")
          + (" +" + MONTH + "(," + MONTH + ")*")
          + (" +" + DAY_OF_WEEK + "(," + DAY_OF_WEEK + ")*$");

  /** How long a window is, in the form of the field. */
  public static String duration(MaintenanceSpec spec) {
    return spec.duration == null ? "2h" : spec.duration;
  }

  /** In which time zone its cron counts. */
  public static String timeZone(MaintenanceSpec spec) {
    return spec.timeZone == null ? "UTC" : spec.timeZone;
  }
}
