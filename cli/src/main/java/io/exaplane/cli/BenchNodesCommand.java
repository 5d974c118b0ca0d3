// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.Load;
import io.exaplane.cli.load.NodesLoad;
import io.exaplane.tuning.model.InvalidInputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Simulated nodes. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates nodes with the requests of kubelets: registers them, renews their Leases, patches "
          + "their status, and holds their watches.",
      "The nodes run no pods, and a taint keeps other people's pods away. The command deletes the "
          + "nodes and Leases at the end, also after Ctrl-C. See docs/bench.md.",
      "The account needs to create, list and delete nodes and leases, and to impersonate the users "
          + "system:node:… and the group system:nodes, or --own-account."
    })
final class BenchNodesCommand extends LoadCommand {
  private static final int MOST = 1_000_000;
  private static final int MOST_IMAGES = 200;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Number of nodes (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      defaultValue = "20",
      description = "Nodes that register per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Measured time after the last registration (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--watches",
      paramLabel = "LIST",
      defaultValue = "kubelet,kube-proxy",
      description =
          "Watches of each node: none, kubelet, kube-proxy, k3s (18 watches), or names of single "
              + "watches as configmaps=4; see docs/bench.md (default: ${DEFAULT-VALUE}).")
  private String watches;

  @Option(
      names = "--lease-duration",
      paramLabel = "DURATION",
      defaultValue = "40s",
      description = "nodeLeaseDurationSeconds of the kubelets (default: ${DEFAULT-VALUE}).")
  private String lease;

  @Option(
      names = "--status-update-frequency",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "nodeStatusUpdateFrequency of the kubelets (default: ${DEFAULT-VALUE}).")
  private String statusUpdate;

  @Option(
      names = "--status-report-frequency",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "nodeStatusReportFrequency of the kubelets (default: ${DEFAULT-VALUE}).")
  private String statusReport;

  @Option(
      names = "--images",
      paramLabel = "COUNT",
      defaultValue = "50",
      description =
          "Images in the status of each node, like the kubelet's nodeStatusMaxImages (default: ${DEFAULT-VALUE}).")
  private int images;

  @Option(
      names = "--own-account",
      description =
          "Sends everything in the account's own name, not in the names of the nodes. Priority and "
              + "fairness then treats the requests as the account's.")
  private boolean ownAccount;

  @Option(
      names = "--list-first",
      description = "Begins each watch with a LIST, as kubelets before 1.35 do, not with a stream.")
  private boolean listFirst;

  @Override
  Load load() {
    if (images < 0 || images > MOST_IMAGES) {
      throw new InvalidInputException(
          "images", Integer.toString(images), "must lie between 0 and 200", "see --help");
    }
    return new NodesLoad(
        new NodesLoad.Settings(
            LoadOptions.count("count", count, MOST),
            LoadOptions.rate("rate", rate),
            LoadOptions.duration("duration", duration, false),
            LoadOptions.seconds("lease-duration", lease),
            LoadOptions.duration("status-update-frequency", statusUpdate, false),
            LoadOptions.duration("status-report-frequency", statusReport, false),
            images,
            watches,
            !ownAccount,
            !listFirst));
  }
}
