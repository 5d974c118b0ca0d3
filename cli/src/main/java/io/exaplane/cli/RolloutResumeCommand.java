// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.RolloutChange;
import picocli.CommandLine.Command;

/** Ends a pause. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {"Continues after a pause: removes spec.pausedUntil."})
final class RolloutResumeCommand extends RolloutChangeCommand {
  @Override
  RolloutChange change(JsonNode plane) {
    return RolloutChange.resume(plane);
  }
}
