// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.kubelets.HostAddresses;
import io.exaplane.cli.kubelets.KubeletSettings;
import io.exaplane.cli.load.KubeletsLoad;
import io.exaplane.cli.load.Load;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Real kubelets. */
@Command(
    name = "kubelets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts real kubelets on this Linux machine, each in separate namespaces, with a "
          + "containerd and an IPv6 prefix for pods.",
      "The nodes join the cluster and can run pods that tolerate the taint "
          + "exaplane.io/bench=kubelets:NoSchedule. At the end, also after Ctrl-C, the command "
          + "deletes the Nodes and everything that it made on the machine. See docs/bench.md.",
      "Whoever may create pods in the cluster is root on this machine while the command runs: use "
          + "a cluster that is yours alone.",
      "Needs root, containerd, runc, the plugins of CNI, and an account that may list and delete "
          + "nodes and impersonate system:node:… and the group system:nodes."
    })
final class BenchKubeletsCommand extends LoadCommand {
  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "10",
      description =
          "Number of kubelets (default: ${DEFAULT-VALUE}). Each needs about 80 MiB of memory.")
  private int count;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Kubelets that start per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Measured time after the last node is Ready (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--kubelet",
      paramLabel = "FILE",
      defaultValue = "kubelet",
      description = "The kubelet to run (default: ${DEFAULT-VALUE}, from the PATH).")
  private String kubelet;

  @Option(
      names = "--kube-proxy",
      paramLabel = "FILE",
      description =
          "The kube-proxy to run beside each kubelet (default: none). The account then needs to "
              + "impersonate system:kube-proxy.")
  private String proxy;

  @Option(
      names = "--kubelet-config",
      paramLabel = "FILE",
      description =
          "A KubeletConfiguration with fields that replace those of the command; plain or gzip. - is"
              + " the standard input.")
  private Path configuration;

  @Option(
      names = "--lease-duration",
      paramLabel = "DURATION",
      defaultValue = "40s",
      description = "nodeLeaseDurationSeconds of the kubelets (default: ${DEFAULT-VALUE}).")
  private String lease;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The API's URL for the nodes, with an IPv6 address (default: the kubeconfig's).")
  private String server;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = "fd0e:be:c4::/48",
      description =
          "IPv6 prefix of nodes and pods (default: ${DEFAULT-VALUE}). This machine has its first "
              + "address, and other machines reach the nodes if they have a route to it.")
  private String prefix;

  @Option(
      names = "--image",
      paramLabel = "FILE",
      description =
          "An archive of images that each node gets, so that pods need no registry; repeatable.")
  private List<Path> images = List.of();

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/exaplane-bench",
      description = "Where the nodes keep their files (default: ${DEFAULT-VALUE}).")
  private Path folder;

  @Option(
      names = "--on-node",
      description =
          "Starts even if this machine has networks for pods in /etc/cni/net.d, as nodes have.")
  private boolean onNode;

  @Override
  Load load() {
    return new KubeletsLoad(
        new KubeletsLoad.Settings(
            LoadOptions.count("count", count, HostAddresses.MOST),
            LoadOptions.rate("rate", rate),
            LoadOptions.duration("duration", duration, false),
            new KubeletSettings(
                kubelet,
                Optional.ofNullable(proxy),
                Optional.ofNullable(server),
                HostAddresses.of(prefix),
                folder,
                List.copyOf(images),
                Optional.ofNullable(configuration)
                    .map(file -> TextFiles.readSmall("kubelet-config", file)),
                (int) LoadOptions.seconds("lease-duration", lease).toSeconds(),
                onNode)),
        options().kubeconfig,
        options().context);
  }
}
