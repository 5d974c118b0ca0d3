// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.Load;
import io.exaplane.cli.load.PodBody;
import io.exaplane.cli.load.PodsLoad;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Pods at a rate. */
@Command(
    name = "pods",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Creates pods at a rate in new namespaces, and measures how soon a scheduler gives them "
          + "nodes.",
      "The pods fit only on nodes of 'exactl bench nodes', unless you set --any-node. The command "
          + "deletes pods and namespaces at the end, also after Ctrl-C. See docs/bench.md.",
      "The account needs to create, list and delete namespaces and pods, to watch pods, and to "
          + "list metadata of objects in the new namespaces."
    })
final class BenchPodsCommand extends LoadCommand {
  /** As a kube-apiserver reads it; 1ki and 1K are none. */
  private static final Pattern QUANTITY =
      Pattern.compile(
          "\\+?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]{1,3})?");

  private static final int MOST = 10_000_000;
  private static final int MOST_NAMESPACES = 10_000;
  private static final int MOST_PADDING = 200_000;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Number of pods (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      defaultValue = "50",
      description = "Pods that are created per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--namespaces",
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "New namespaces, which share the pods evenly (default: ${DEFAULT-VALUE}).")
  private int namespaces;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description =
          "Longest wait for the scheduler after the last creation (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--cpu",
      paramLabel = "QUANTITY",
      defaultValue = "10m",
      description = "CPU that each pod requests (default: ${DEFAULT-VALUE}).")
  private String cpu;

  @Option(
      names = "--memory",
      paramLabel = "QUANTITY",
      defaultValue = "16Mi",
      description = "Memory that each pod requests (default: ${DEFAULT-VALUE}).")
  private String memory;

  @Option(
      names = "--image",
      paramLabel = "NAME",
      defaultValue = "registry.k8s.io/pause:3.10",
      description = "Image of each pod (default: ${DEFAULT-VALUE}).")
  private String image;

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      defaultValue = "",
      description = "spec.schedulerName of each pod (default: the cluster's default).")
  private String scheduler;

  @Option(
      names = "--padding",
      paramLabel = "BYTES",
      defaultValue = "0",
      description =
          "Length of an annotation of each pod, for larger objects (default: ${DEFAULT-VALUE}).")
  private int padding;

  @Option(
      names = "--any-node",
      description = "Lets pods run on every node that has room, also on real ones.")
  private boolean anyNode;

  @Override
  Load load() {
    if (padding < 0 || padding > MOST_PADDING) {
      throw new InvalidInputException(
          "padding", Integer.toString(padding), "must lie between 0 and 200,000", "see --help");
    }
    return new PodsLoad(
        new PodsLoad.Settings(
            LoadOptions.count("count", count, MOST),
            LoadOptions.rate("rate", rate),
            LoadOptions.count("namespaces", namespaces, MOST_NAMESPACES),
            LoadOptions.duration("duration", duration, true),
            new PodBody.Shape(
                quantity("cpu", cpu, "10m"),
                quantity("memory", memory, "16Mi"),
                image,
                scheduler,
                padding,
                anyNode)));
  }

  private static String quantity(String name, String text, String example) {
    if (!QUANTITY.matcher(text).matches()) {
      throw new InvalidInputException(
          name, text, "must be a quantity of Kubernetes", "write it as " + example);
    }
    return text;
  }
}
