// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.LeasesLoad;
import io.exaplane.cli.load.Load;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Renewals of Leases at a rate. */
@Command(
    name = "leases",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Creates Leases in the namespace kube-node-lease, without nodes, and renews them at a rate, "
          + "whatever the server can do.",
      "The command deletes the Leases at the end, also after Ctrl-C. See docs/bench.md.",
      "The account needs to create, update, list and delete leases, or to impersonate nodes with "
          + "--as-nodes."
    })
final class BenchLeasesCommand extends LoadCommand {
  private static final int MOST = 1_000_000;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Number of Leases (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      defaultValue = "100",
      description = "Renewals per second, and creations before them (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Measured time after the last creation (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--lease-duration",
      paramLabel = "DURATION",
      defaultValue = "40s",
      description = "leaseDurationSeconds of the Leases (default: ${DEFAULT-VALUE}).")
  private String lease;

  @Option(
      names = "--as-nodes",
      description =
          "Sends each renewal in the name of a node, so that priority and fairness treats it as a "
              + "kubelet's.")
  private boolean asNodes;

  @Override
  Load load() {
    return new LeasesLoad(
        new LeasesLoad.Settings(
            LoadOptions.count("count", count, MOST),
            LoadOptions.rate("rate", rate),
            LoadOptions.duration("duration", duration, false),
            LoadOptions.seconds("lease-duration", lease),
            asNodes));
  }
}
