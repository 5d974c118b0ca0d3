// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far the upgrade of one Node is, as an annotation of that Node has it: so an operator that
 * begins goes on where the former one was. Immutable.
 *
 * @param version that the kubelet is to have, as 1.37.2
 * @param since when the phase began
 * @param uncordons whether the Node took pods before, and is to take pods again
 */
public record Turn(String version, Phase phase, Instant since, boolean uncordons) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d{1,4}\\.\\d{1,4}\\.\\d{1,4});(Draining|Drained);(\\d{4}-[0-9TZ:.-]{1,30});(Uncordon|Keep)");

  /** Between the clocks of two operators, one after the other. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  /** What is awaited. */
  public enum Phase {
    /** Pods are to leave. */
    Draining,
    /** The host is to bring the kubelet. */
    Drained
  }

  /** What {@link #parse} reads, and the host's program. */
  public String text() {
    return "%s;%s;%s;%s".formatted(version, phase, since, uncordons ? "Uncordon" : "Keep");
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @return empty for a text that no operator wrote this way. A kubelet may write one: a turn that
   *     begins years from now would never be late, and have its room for ever.
   */
  public static Optional<Turn> parse(String text, Instant now) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      Instant since = Instant.parse(matcher.group(3));
      return since.isAfter(now.plus(SKEW))
          ? Optional.empty()
          : Optional.of(
              new Turn(
                  matcher.group(1),
                  Phase.valueOf(matcher.group(2)),
                  since,
                  matcher.group(4).equals("Uncordon")));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The same for another version; a drained host begins anew with it. */
  Turn toward(String other, Instant now) {
    return new Turn(other, phase, phase == Phase.Drained ? now : since, uncordons);
  }

  /** All pods have left. */
  public Turn drained(Instant now) {
    return new Turn(version, Phase.Drained, now, uncordons);
  }
}
