// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.Latency;
import io.exaplane.cli.load.LoadReport;
import io.exaplane.tuning.model.Bytes;
import java.io.PrintWriter;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of a load for people. */
final class LoadOutput {
  private LoadOutput() {}

  static void print(PrintWriter out, LoadReport report) {
    out.printf("Load %s, run %s, on %s%n", report.load(), report.run(), report.server());
    for (LoadReport.Phase phase : report.phases()) {
      if (phase.requests().isEmpty()) {
        continue;
      }
      out.println();
      out.printf("%s, %.1f s:%n", phase.name(), phase.seconds());
      Table table =
          new Table(
              "REQUEST",
              "COUNT",
              "PER S",
              "STATUS",
              "SENT",
              "RECEIVED",
              "P50 MS",
              "P99 MS",
              "MAX MS");
      for (LoadReport.Requests each : phase.requests()) {
        table.row(
            each.verb() + " " + each.resource(),
            Long.toString(each.count()),
            "%.1f".formatted(each.perSecond()),
            each.status().entrySet().stream()
                .map(status -> status.getKey() + ": " + status.getValue())
                .collect(Collectors.joining(", ")),
            Bytes.text(each.sentBytes()),
            Bytes.text(each.receivedBytes()),
            ms(each.latencyMs().p50()),
            ms(each.latencyMs().p99()),
            ms(each.latencyMs().max()));
      }
      table.print(out);
    }
    watches(out, report);
    figures(out, report);
    out.flush();
  }

  private static void watches(PrintWriter out, LoadReport report) {
    if (report.watches().isEmpty()) {
      return;
    }
    out.println();
    Table table =
        new Table("WATCHES", "OPEN", "PER NODE", "OPENED", "ENDED", "EVENTS", "EVENT BYTES");
    for (LoadReport.Watches each : report.watches()) {
      table.row(
          each.resource(),
          Long.toString(each.open()),
          each.perNode() == null ? "" : "%.2f".formatted(each.perNode()),
          Long.toString(each.opened()),
          Long.toString(each.ended()),
          Long.toString(each.events()),
          Bytes.text(each.eventBytes()));
    }
    table.print(out);
  }

  private static void figures(PrintWriter out, LoadReport report) {
    out.println();
    Table latencies = new Table("LATENCY", "COUNT", "P50 MS", "P99 MS", "P99.9 MS", "MAX MS");
    for (Map.Entry<String, Latency> each : report.latencies().entrySet()) {
      Latency latency = each.getValue();
      latencies.row(
          each.getKey(),
          Long.toString(latency.count()),
          ms(latency.p50()),
          ms(latency.p99()),
          ms(latency.p999()),
          ms(latency.max()));
    }
    latencies.print(out);
    report.figures().forEach((name, value) -> figure(out, "  ", name, value));
    report.problems().forEach((operation, words) -> out.printf("  %s: %s%n", operation, words));
    out.printf(
        "  this process: %d connections, %.2f s of CPU in the last phase, %s of heap%n",
        report.client().connections(),
        report.client().cpuSeconds(),
        Bytes.text(report.client().heapBytes()));
    if (report.cleanUp() != null) {
      out.printf(
          "  deleted in %.1f s: %s%n", report.cleanUp().seconds(), report.cleanUp().deleted());
    }
  }

  private static void figure(PrintWriter out, String indent, String name, Object value) {
    if (value instanceof Map<?, ?> parts) {
      out.printf("%s%s:%n", indent, name);
      parts.forEach((part, each) -> figure(out, indent + "  ", part.toString(), each));
    } else {
      out.printf(
          "%s%s: %s%n",
          indent, name, value instanceof Double number ? "%.1f".formatted(number) : value);
    }
  }

  private static String ms(double ms) {
    return ms < 10 ? "%.2f".formatted(ms) : "%.0f".formatted(ms);
  }
}
