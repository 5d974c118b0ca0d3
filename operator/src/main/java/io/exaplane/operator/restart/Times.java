// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** Times as a status has them. Pure. */
final class Times {
  private Times() {}

  /** A time; long ago when a person wrote something else. */
  static Instant of(String text) {
    try {
      return text == null ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeParseException unreadable) {
      return Instant.EPOCH;
    }
  }

  /** To the second, as Kubernetes writes it. */
  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
