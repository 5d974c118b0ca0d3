// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
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

  /** Clocks are set by an hour or two, and after that long the time of day is unique again. */
  private static final Duration LONGEST_SHIFT = Duration.ofHours(3);

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
      return at(spec, now, zone);
    } catch (IllegalArgumentException unreadable) {
      return invalid(
          "spec.maintenance.cron %s: is not five fields of cron. Correct the fields, for example '0 2 * * 6'."
              .formatted(spec.cron()));
    }
  }

  private static MaintenanceWindow at(MaintenanceSpec spec, Instant now, ZoneId zone) {
    Cron cron =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
            .parse(spec.cron());
    ExecutionTime times = ExecutionTime.forCron(cron);
    Optional<Instant> next = next(times, now, zone);
    if (next.isEmpty()) {
      return invalid(
          "spec.maintenance.cron %s: no such day comes. Correct the day of the month or the month."
              .formatted(spec.cron()));
    }
    Duration length = Durations.parse(MaintenanceSpec.duration(spec));
    boolean open =
        last(times, now, zone).filter(last -> last.plus(length).isAfter(now)).isPresent();
    return new MaintenanceWindow(open, next, Optional.empty());
  }

  /**
   * The first begin after a time. Cron's fields are read off a clock on the wall, which knows no
   * summer time: a begin that clocks skip comes as much later as they skip, and one that they show
   * twice counts the first time.
   */
  private static Optional<Instant> next(ExecutionTime times, Instant now, ZoneId zone) {
    LocalDateTime wall = LocalDateTime.ofInstant(now, zone);
    LocalDateTime former = beforeShift(now, zone);
    Optional<ZonedDateTime> next =
        times.nextExecution((former.isBefore(wall) ? former : wall).atZone(ZoneOffset.UTC));
    while (next.isPresent() && !instant(next.get(), zone).isAfter(now)) {
      next = times.nextExecution(next.get());
    }
    return next.map(at -> instant(at, zone));
  }

  /** The last begin at or before a time. */
  private static Optional<Instant> last(ExecutionTime times, Instant now, ZoneId zone) {
    LocalDateTime wall = LocalDateTime.ofInstant(now, zone);
    LocalDateTime former = beforeShift(now, zone);
    Optional<ZonedDateTime> last =
        times.lastExecution(
            (former.isAfter(wall) ? former : wall).plusNanos(1).atZone(ZoneOffset.UTC));
    while (last.isPresent() && instant(last.get(), zone).isAfter(now)) {
      last = times.lastExecution(last.get());
    }
    return last.map(at -> instant(at, zone));
  }

  /** What a clock shows that was not set when the others were, shortly before. */
  private static LocalDateTime beforeShift(Instant now, ZoneId zone) {
    return LocalDateTime.ofInstant(now, zone.getRules().getOffset(now.minus(LONGEST_SHIFT)));
  }

  private static Instant instant(ZonedDateTime wall, ZoneId zone) {
    return wall.toLocalDateTime().atZone(zone).toInstant();
  }

  private static MaintenanceWindow invalid(String message) {
    return new MaintenanceWindow(
        false, Optional.empty(), Optional.of(new Problem(Reason.InvalidMaintenance, message)));
  }
}
