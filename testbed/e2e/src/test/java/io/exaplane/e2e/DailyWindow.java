// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/**
 * A maintenance window of each day, as {@code spec.maintenance} has it. Immutable.
 *
 * @param begin whole minutes, by the clocks of the zone
 * @param duration as {@code 2h}
 */
record DailyWindow(LocalTime begin, String duration, ZoneId zone) {
  private static final Duration A_WHILE = Duration.ofMinutes(10);

  /** One that begins in this minute of each day. */
  static DailyWindow from(Instant begin, String duration, String zone) {
    return at(LocalTime.ofInstant(begin, ZoneId.of(zone)), duration, zone);
  }

  /** One that began a while ago, and is open. */
  static DailyWindow open(Instant now, String duration, String zone) {
    return from(now.minus(A_WHILE), duration, zone);
  }

  /** One that is closed in its zone, and that would be open if its cron counted in UTC. */
  static DailyWindow openInUtcAlone(Instant now, String duration, String zone) {
    return at(LocalTime.ofInstant(now.minus(A_WHILE), ZoneOffset.UTC), duration, zone);
  }

  private static DailyWindow at(LocalTime begin, String duration, String zone) {
    return new DailyWindow(begin.truncatedTo(ChronoUnit.MINUTES), duration, ZoneId.of(zone));
  }

  /** When it begins next, after this time. */
  Instant next(Instant now) {
    ZonedDateTime today = now.atZone(zone).with(begin);
    return (today.toInstant().isAfter(now) ? today : today.plusDays(1)).toInstant();
  }

  /** The field's value, which is YAML as well. */
  String json() {
    return "{\"cron\":\"%d %d * * *\",\"duration\":\"%s\",\"timeZone\":\"%s\"}"
        .formatted(begin.getMinute(), begin.getHour(), duration, zone.getId());
  }
}
