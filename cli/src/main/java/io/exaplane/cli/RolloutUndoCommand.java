// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.RolloutChange;
import picocli.CommandLine.Command;

/** Takes a rollout back. */
@Command(
    name = "undo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Takes back the rollout that is under way.",
      "A move to another bundle goes back to the bundle in status.bundle. A rollout that stopped goes back to the last template that settled. The version never goes back."
    })
final class RolloutUndoCommand extends RolloutChangeCommand {
  @Override
  RolloutChange change(JsonNode plane) {
    return RolloutChange.undo(plane);
  }
}
