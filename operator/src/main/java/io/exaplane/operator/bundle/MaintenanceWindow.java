// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether the operator may move pods to its own bundle now. Pure.
 *
 * @param isOpen whether a window is open
 * @param opens when the next one opens; nothing without windows
 * @param problem what is wrong with the field, if something is; no window opens then
 */
public record MaintenanceWindow(
    boolean isOpen, Optional<Instant> opens, Optional<Problem> problem) {
  /** That of an owner without windows. */
  public static final MaintenanceWindow NONE =
      new MaintenanceWindow(false, Optional.empty(), Optional.empty());

  /**
   * At a time.
   *
   * @param spec the field; null for an owner without windows
   */
  public static MaintenanceWindow of(MaintenanceSpec spec, Instant now) {
    if (spec == null) {
      return NONE;
    }
    ZoneId zone;
    try {
      zone = ZoneId.of(MaintenanceSpec.timeZone(spec));
    } catch (DateTimeException unknown) {
      return invalid(
          "spec.maintenance.timeZone %s: the IANA database has no such time zone. Set one, for example Europe/Berlin."
              .formatted(spec.timeZone()));
    }
    try {
      return at(spec, now.atZone(zone));
    } catch (IllegalArgumentException unreadable) {
      return invalid(
          "spec.maintenance.cron %s: is not five fields of cron. Correct the fields, for example '0 2 * * 6'."
              .formatted(spec.cron()));
    }
  }

  private static MaintenanceWindow at(MaintenanceSpec spec, ZonedDateTime now) {
    Cron cron =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
            .parse(spec.cron());
    ExecutionTime times = ExecutionTime.forCron(cron);
    Optional<ZonedDateTime> next = times.nextExecution(now);
    if (next.isEmpty()) {
      return invalid(
          "spec.maintenance.cron %s: no such day comes. Correct the day of the month or the month."
              .formatted(spec.cron()));
    }
    Duration length =
        Duration.parse("PT" + MaintenanceSpec.duration(spec).toUpperCase(Locale.ROOT));
    boolean open =
        times
            .lastExecution(now.plusNanos(1))
            .filter(last -> last.plus(length).isAfter(now))
            .isPresent();
    return new MaintenanceWindow(open, next.map(ZonedDateTime::toInstant), Optional.empty());
  }

  private static MaintenanceWindow invalid(String message) {
    return new MaintenanceWindow(
        false, Optional.empty(), Optional.of(new Problem(Reason.InvalidMaintenance, message)));
  }
}
