// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.path.Change;
import io.exaplane.tuning.path.Path;
import io.exaplane.tuning.plan.CapacityPlan;
import io.exaplane.tuning.plan.CapacityPlan.Step;
import io.exaplane.tuning.rules.Limit;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** A capacity plan for people: the cluster as it was given, after the changes, and the changes. */
final class PlanOutput {
  private PlanOutput() {}

  static void print(CapacityPlan plan, PrintWriter out) {
    out.println("As given, on servers of " + plan.servers() + ":");
    table(plan.steps(), out);
    out.println();
    out.println("After the changes below:");
    table(plan.changed(), out);
    out.println();
    out.println("How to get there:");
    plan.paths().forEach(path -> path(path, out));
    out.flush();
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

  private static void path(Path path, PrintWriter out) {
    String nodes = Numbers.text(path.nodes()) + (path.nodes() == 1 ? " node" : " nodes");
    if (path.exceeded().isEmpty()) {
      out.println("  " + nodes + ": no limit is exceeded, nothing to change");
      return;
    }
    Limit first = path.exceeded().getFirst();
    out.println(
        "  %s: %s breaks first: it needs %s of %s, %s times the available amount"
            .formatted(
                nodes,
                first.name(),
                first.unit().text(first.needed()),
                first.unit().text(first.available()),
                Numbers.text(first.ratio() < 10 ? first.ratio() : Math.rint(first.ratio()))));
    int number = 1;
    for (Change change : path.changes()) {
      out.println(
          "    %d. %s: %s → %s. %s"
              .formatted(
                  number,
                  change.input(),
                  change.from(),
                  change.to(),
                  ShapeOptions.sentence(change.action())));
      change.gains().forEach(gain -> out.println("         " + gain.text()));
      number++;
    }
    if (!path.fits()) {
      out.println(
          "    All of these together do not fit. Take larger servers, or split the cluster.");
    }
    if (!path.left().isEmpty()) {
      out.println("    Warnings that remain: " + String.join(", ", path.left()));
    }
    out.println(
        "    Try it: exactl tune "
            + path.inputs().entrySet().stream()
                .map(input -> "--" + input.getKey() + "=" + input.getValue())
                .collect(Collectors.joining(" ")));
  }
}
