// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** Measurements of clusters, and of Exaplane itself. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Puts measured loads on any cluster, and measures Exaplane on your own management cluster.",
    subcommands = {
      BenchNodesCommand.class,
      BenchPodsCommand.class,
      BenchLeasesCommand.class,
      BenchWatchesCommand.class,
      BenchKubeletsCommand.class,
      BenchServerCommand.class,
      BenchFleetCommand.class
    })
final class BenchCommand {
  private BenchCommand() {}
}
