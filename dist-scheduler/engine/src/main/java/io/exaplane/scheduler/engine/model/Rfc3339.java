// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/**
 * Times as Kubernetes writes them. Whole seconds in UTC, which is nearly all that there is, are
 * read without the JDK's formatter, which takes as long as half of a pod.
 */
final class Rfc3339 {
  private static final String SHAPE = "2026-01-01T00:00:00Z";
  private static final int LAST_DAY_OF_ANY_MONTH = 28;
  private static final int LAST_CENTURY_TOO_EARLY = 16;
  private static final int FIRST_CENTURY_TOO_LATE = 22;
  private static final long NANOS = 1_000_000_000L;
  private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS - 1;

  private Rfc3339() {}

  /**
   * Nanoseconds since 1970.
   *
   * @throws DateTimeParseException if it is no time
   */
  static long parseNs(String text) {
    if (hasShape(text)) {
      int month = two(text, 5);
      int day = two(text, 8);
      int hour = two(text, 11);
      int minute = two(text, 14);
      int second = two(text, 17);
      boolean plain =
          two(text, 0) > LAST_CENTURY_TOO_EARLY
              && two(text, 0) < FIRST_CENTURY_TOO_LATE
              && month >= 1
              && month <= 12
              && day >= 1
              && day <= LAST_DAY_OF_ANY_MONTH
              && hour < 24
              && minute < 60
              && second < 60;
      if (plain) {
        long days = LocalDate.of(100 * two(text, 0) + two(text, 2), month, day).toEpochDay();
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * NANOS;
      }
    }
    return toNs(Instant.parse(text));
  }

  /** Nanoseconds since 1970; the last there are, of times after the year 2262. */
  static long toNs(Instant time) {
    long seconds = time.getEpochSecond();
    if (Math.abs(seconds) > MOST_SECONDS) {
      return seconds < 0 ? -Long.MAX_VALUE : Long.MAX_VALUE;
    }
    return seconds * NANOS + time.getNano();
  }

  private static boolean hasShape(String text) {
    if (text.length() != SHAPE.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      char expected = SHAPE.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (expected >= '0' && expected <= '9' ? !digit : c != expected) {
        return false;
      }
    }
    return true;
  }

  private static int two(String text, int at) {
    return 10 * (text.charAt(at) - '0') + text.charAt(at + 1) - '0';
  }
}
