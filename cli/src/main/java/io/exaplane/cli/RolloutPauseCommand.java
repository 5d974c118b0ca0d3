// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.RolloutChange;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Holds a control plane as it is. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Holds the rollout, and every other change: sets spec.pausedUntil.",
      "Components continue to run, and nodes join only while the present token works."
    })
final class RolloutPauseCommand extends RolloutChangeCommand {
  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description =
          "Ends the pause after this time, for example 2h (default: 'rollout resume' ends it).")
  private String length;

  @Override
  RolloutChange change(JsonNode plane) {
    return RolloutChange.pause(plane, length == null ? "true" : end());
  }

  private String end() {
    try {
      Duration duration = Duration.ofNanos(Durations.nanos(length));
      if (duration.toSeconds() > 0) {
        return Instant.now().plus(duration).truncatedTo(ChronoUnit.SECONDS).toString();
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "for", length, "must be a duration of a second at least", "write it as 2h");
  }
}
