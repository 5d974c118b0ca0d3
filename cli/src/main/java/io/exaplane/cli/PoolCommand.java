// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** What concerns a scheduler of several processes. */
@Command(
    name = "pool",
    mixinStandardHelpOptions = true,
    description = "Shows a scheduler that runs as several processes.",
    subcommands = PoolTopCommand.class)
final class PoolCommand {
  private PoolCommand() {}
}
