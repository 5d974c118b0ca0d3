// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads {@code spec.pausedUntil}. Pure. */
public final class PausedUntil {
  private PausedUntil() {}

  /**
   * Until when; empty when it does not ask to pause.
   *
   * @throws DateTimeParseException if it is no time
   */
  public static Optional<Instant> parse(String value) {
    if (value == null || value.equals("false")) {
      return Optional.empty();
    }
    return Optional.of(
        value.equals("true") ? Instant.MAX : OffsetDateTime.parse(value).toInstant());
  }

  /** The same; empty too when it is over, or no time. */
  public static Optional<Instant> parse(String value, Instant now) {
    try {
      return parse(value).filter(now::isBefore);
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  /** What is wrong with it, if something is. */
  public static Optional<String> problem(String value) {
    try {
      parse(value);
      return Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.of(
          "spec.pausedUntil %s: is not a time; write an RFC 3339 time or \"true\"."
              .formatted(value));
    }
  }
}
