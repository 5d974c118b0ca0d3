// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.path.Servers;
import io.exaplane.tuning.plan.CapacityPlan;
import io.exaplane.tuning.plan.Chart;
import io.exaplane.tuning.version.VersionMatrix;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a control plane needs while its cluster grows. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the needs of a control plane while its cluster grows, and what to change so that it "
          + "fits the servers.",
      "For each size: the limit that breaks first, the smallest set of changes, and what each "
          + "change brings."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the plan was printed, whether the cluster fits the servers or not",
      "2:an input cannot be read or is invalid"
    })
final class PlanCommand implements Callable<Integer> {
  /** How to print it. */
  enum Format {
    TABLE,
    JSON,
    YAML,
    SVG
  }

  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml|svg",
      defaultValue = "table",
      description =
          "Table or SVG for people, JSON or YAML for machines (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--from",
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Nodes to begin with (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(
      names = "--to",
      paramLabel = "COUNT",
      defaultValue = "1000000",
      description = "Nodes to end with (default: ${DEFAULT-VALUE}).")
  private long to;

  @Option(
      names = "--servers",
      paramLabel = "CORES,MEMORY,NETWORK",
      defaultValue = Servers.DEFAULT,
      description =
          "Cores, memory and network of one server, which carries one kube-apiserver or one "
              + "store (default: ${DEFAULT-VALUE}). Options for one of these win.")
  private String servers;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
    ShapeOptions.addTo(spec);
  }

  @Override
  public Integer call() {
    VersionMatrix matrix = VersionMatrix.load();
    Shape shape = ShapeOptions.shape(spec.commandLine().getParseResult(), matrix);
    if (shape.given(Input.NODES).isPresent()) {
      spec.commandLine()
          .getErr()
          .printf(
              "warning: nodes: '%s' is not used, since the plan goes from --from to --to; name these%n",
              shape.given(Input.NODES).get());
    }
    CapacityPlan plan = CapacityPlan.of(shape, matrix, Servers.parse(servers), from, to);
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case JSON -> out.print(Documents.json(plan));
      case YAML -> out.print(Documents.yaml(plan));
      case SVG ->
          out.print(
              Chart.svg(
                  plan, "Kubernetes " + shape.version() + ", " + from + " to " + to + " nodes"));
      case TABLE -> PlanOutput.print(plan, out);
    }
    out.flush();
    return 0;
  }
}
