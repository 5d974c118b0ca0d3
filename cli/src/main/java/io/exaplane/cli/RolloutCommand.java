// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** Rollouts of control planes. */
@Command(
    name = "rollout",
    mixinStandardHelpOptions = true,
    description = "Shows, holds, continues or takes back the rollout of a ControlPlane.",
    subcommands = {
      RolloutStatusCommand.class,
      RolloutPauseCommand.class,
      RolloutResumeCommand.class,
      RolloutUndoCommand.class
    })
final class RolloutCommand {
  private RolloutCommand() {}
}
