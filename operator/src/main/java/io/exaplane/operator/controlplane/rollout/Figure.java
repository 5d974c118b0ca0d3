// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A gate that is closed, and why. Immutable.
 *
 * @param number the figure that the gate goes by, with its unit
 * @param limit that the figure has to reach
 * @param since since when the gate is closed, if that is older than this pass
 * @param end when it opens, where that is known
 */
record Figure(
    RolloutGate gate,
    String number,
    String limit,
    Optional<Instant> since,
    Optional<Instant> end,
    String message) {
  /** A figure that moved by less, of the larger one, is not written again. */
  private static final double SMALL = 0.25;

  static Figure of(RolloutGate gate, String number, String limit, String message) {
    return new Figure(gate, number, limit, Optional.empty(), Optional.empty(), message);
  }

  /**
   * As status tells it: since the pass that found it first, and with no other figure for little.
   */
  Blocked told(String component, List<Blocked> before, Instant now) {
    Optional<Blocked> known =
        before.stream()
            .filter(any -> any.gate() == gate && any.component().equals(component))
            .findFirst();
    return new Blocked(
        gate,
        component,
        known
            .map(Blocked::number)
            .filter(was -> number != null && isNear(was, number))
            .orElse(number),
        limit,
        since.map(Figure::text).or(() -> known.map(Blocked::since)).orElseGet(() -> text(now)),
        end.map(Figure::text).orElse(null),
        message);
  }

  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static boolean isNear(String was, String is) {
    double one = leading(was);
    double other = leading(is);
    return Math.abs(one - other) <= SMALL * Math.max(one, other) && (one > 0) == (other > 0);
  }

  private static double leading(String text) {
    String digits = text.replaceFirst("^([0-9]+).*", "$1");
    return digits.chars().allMatch(Character::isDigit) && !digits.isEmpty()
        ? Double.parseDouble(digits)
        : 0;
  }
}
