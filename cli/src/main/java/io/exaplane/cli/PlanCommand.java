// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.plan.CapacityPlan;
import io.exaplane.tuning.plan.CapacityPlan.Step;
import io.exaplane.tuning.plan.Chart;
import io.exaplane.tuning.version.VersionMatrix;
import java.io.PrintWriter;
import java.util.List;
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
    description =
        "Shows the needs of a control plane while its cluster grows, as a table or a picture.")
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

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
    ShapeOptions.addTo(spec);
  }

  @Override
  public Integer call() {
    VersionMatrix matrix = VersionMatrix.load();
    Shape shape = ShapeOptions.shape(spec.commandLine().getParseResult(), matrix);
    CapacityPlan plan = CapacityPlan.of(shape, matrix, from, to);
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case JSON -> out.print(Documents.json(plan));
      case YAML -> out.print(Documents.yaml(plan));
      case SVG ->
          out.print(
              Chart.svg(
                  plan, "Kubernetes " + shape.version() + ", " + from + " to " + to + " nodes"));
      case TABLE -> table(plan.steps(), out);
    }
    out.flush();
    return 0;
  }

  private static void table(List<Step> steps, PrintWriter out) {
    Table table =
        new Table(
            "NODES",
            "APISERVERS",
            "MEMORY EACH",
            "CORES EACH",
            "STORES",
            "STORED",
            "SCHEDULERS",
            "WATCH TRAFFIC",
            "STORE TRAFFIC",
            "MEMORY IS",
            "WARNINGS");
    for (Step step : steps) {
      table.row(
          Numbers.text(step.nodes()),
          Numbers.text(step.apiServers()),
          Bytes.text(step.memoryPerServer()),
          Numbers.text(step.cpusPerServer()),
          Numbers.text(step.stores()),
          Bytes.text(step.storedBytes()),
          Numbers.text(step.schedulers()),
          Bytes.text(step.watchBytesPerSecond()) + "/s",
          Bytes.text(step.storeBytesPerSecond()) + "/s",
          step.driver(),
          String.join(" ", step.warnings()));
    }
    table.print(out);
  }
}
