// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** Measurements of Exaplane itself. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures Exaplane on your own management cluster.",
    subcommands = BenchFleetCommand.class)
final class BenchCommand {
  private BenchCommand() {}
}
