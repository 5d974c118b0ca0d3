// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.fleet.FleetReport;
import io.exaplane.cli.fleet.OperatorFigures;
import io.exaplane.cli.fleet.Times;
import io.exaplane.tuning.model.Bytes;
import java.io.PrintWriter;
import java.util.Map;

/** The report of a fleet for people. */
final class FleetOutput {
  private static final double CHANGED_WITHIN_SECONDS = 5;
  private static final double TAKEN_OVER_WITHIN_SECONDS = 30;

  private FleetOutput() {}

  static void print(PrintWriter out, FleetReport report) {
    out.printf(
        "%d ControlPlanes of Kubernetes %s%n%n",
        report.controlPlanes(), report.kubernetesVersion());
    Table table = new Table("MEASURE", "P50 S", "P99 S", "MAX S", "GOAL");
    times(table, "create a ControlPlane: request to the API server", report.request(), "");
    times(table, "create a ControlPlane: first condition", report.firstCondition(), "");
    times(table, "create a ControlPlane: all objects", report.allObjects(), "");
    times(
        table,
        "change reconciled",
        report.change().reconciled(),
        goal(report.change().reconciled().p99(), CHANGED_WITHIN_SECONDS, "p99 <= 5 s"));
    if (report.takeover() != null) {
      table.row(
          "leader killed: next leader", "", "", seconds(report.takeover().leaderSeconds()), "");
      table.row(
          "leader killed: all changes reconciled",
          "",
          "",
          seconds(report.takeover().allSeconds()),
          goal(report.takeover().allSeconds(), TAKEN_OVER_WITHIN_SECONDS, "<= 30 s"));
    }
    table.row("create all", "", "", seconds(report.createdSeconds()), "");
    table.row("delete all", "", "", seconds(report.deletedSeconds()), "");
    table.print(out);
    out.println();
    out.printf(
        "writes while idle: %.1f objects a minute, %s%n",
        report.idle().perMinute(),
        goal(report.idle().perMinute(), 0, "goal 0, the leader's Lease not counted"));
    report
        .idle()
        .byWriter()
        .forEach((writer, count) -> out.printf("  %s: %d objects%n", writer, count));
    out.println();
    where(out, report);
    out.flush();
  }

  private static void times(Table table, String name, Times times, String goal) {
    table.row(name, seconds(times.p50()), seconds(times.p99()), seconds(times.most()), goal);
  }

  private static String seconds(double seconds) {
    return seconds < 1 ? "%.3f".formatted(seconds) : "%.1f".formatted(seconds);
  }

  private static String goal(double value, double most, String goal) {
    return goal + (value <= most ? ": met" : ": MISSED");
  }

  /** Where the time goes, and what the operator takes. */
  private static void where(PrintWriter out, FleetReport report) {
    out.println("Time from the creation of a ControlPlane to its last object of each Kind:");
    Table kinds = new Table("KIND", "P50 S", "P99 S", "MAX S");
    report
        .lastObjectOfKind()
        .forEach(
            (kind, times) ->
                kinds.row(kind, seconds(times.p50()), seconds(times.p99()), seconds(times.most())));
    kinds.print(out);
    if (report.operator() == null) {
      out.println("Set --metrics to see the operator's threads, memory and passes.");
      return;
    }
    out.println();
    Table figures =
        new Table(
            "OPERATOR", "THREADS", "HEAP", "OTHER", "FILES", "PASSES", "S/PASS", "CORES", "GC");
    OperatorFigures before = null;
    for (Map.Entry<String, OperatorFigures> each : report.operator().entrySet()) {
      OperatorFigures now = each.getValue();
      boolean compares = before != null && now.upSeconds() > before.upSeconds();
      double passes = compares ? now.passes() - before.passes() : 0;
      double elapsed = compares ? now.upSeconds() - before.upSeconds() : 0;
      figures.row(
          each.getKey(),
          Integer.toString(now.threads()),
          Bytes.text(now.heapBytes()),
          Bytes.text(now.otherBytes()),
          Integer.toString(now.openFiles()),
          compares ? "%.0f".formatted(passes) : "",
          passes > 0 ? seconds((now.passSeconds() - before.passSeconds()) / passes) : "",
          compares ? "%.2f".formatted((now.cpuSeconds() - before.cpuSeconds()) / elapsed) : "",
          compares
              ? "%.0f %%"
                  .formatted(100 * (now.collectionSeconds() - before.collectionSeconds()) / elapsed)
              : "");
      before = now;
    }
    figures.print(out);
  }
}
