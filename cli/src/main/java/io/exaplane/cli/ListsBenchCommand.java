// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.ListBench;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the ways to list a resource cost, measured at a kube-apiserver. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Lists a resource in every way that clients use, and prints the bytes, latency and "
          + "server CPU time of each.",
      "The command only reads, but is a load: it repeats each way for a second or --runs "
          + "times, whichever is longer.",
      "The account needs to list and watch the resource and to get /metrics."
    })
final class ListsBenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ServerOption server;

  @Option(
      names = "--resource",
      paramLabel = "RESOURCE",
      defaultValue = "pods",
      description =
          "The resource, for example pods, apps/deployments, or example.org/v1alpha1/widgets for versions "
              + "other than v1 (default: ${DEFAULT-VALUE}).")
  private String resource;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "Lists the objects of one namespace only (default: all).")
  private String namespace;

  @Option(
      names = "--runs",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Fewest requests of each way (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    if (runs < 1 || runs > 100_000) {
      throw new InvalidInputException(
          "runs", Integer.toString(runs), "must lie between 1 and 100,000", "see --help");
    }
    try (ApiServer connected = server.connect()) {
      List<ListBench.Row> rows =
          new ListBench(
                  connected,
                  resource,
                  Optional.ofNullable(namespace),
                  runs,
                  ListBench.LEAST_SECONDS)
              .run();
      PrintWriter out = spec.commandLine().getOut();
      if (chosen.format == TuneCommand.Format.TABLE) {
        print(out, rows);
      } else {
        Documents.print(
            out, chosen.format, rows.stream().map(ListsBenchCommand::document).toList());
      }
    }
    return 0;
  }

  private static void print(PrintWriter out, List<ListBench.Row> rows) {
    Table table =
        new Table(
            "HOW",
            "SERVED BY",
            "OBJECTS",
            "BYTES",
            "P50 MS",
            "MAX MS",
            "SERVER CPU MS",
            "BESIDE THE FIRST");
    double first = rows.getFirst().cpuMillis();
    for (ListBench.Row row : rows) {
      if (row.problem().isPresent()) {
        table.row(row.variant().name(), row.servedBy(), "", "", "", "", "", row.problem().get());
        continue;
      }
      table.row(
          row.variant().name(),
          row.servedBy(),
          row.objects().isPresent() ? Numbers.text(row.objects().getAsLong()) : "",
          Bytes.text(row.bytes()),
          Numbers.text(row.medianMillis()),
          Numbers.text(row.maxMillis()),
          Numbers.text(row.cpuMillis()),
          first > 0 ? Numbers.text(row.cpuMillis() / first) : "");
    }
    table.print(out);
    out.println();
    out.println(
        "The server's CPU time is for one request, without the server's other work. Values "
            + "below a few milliseconds are estimates.");
    out.flush();
  }

  private static Map<String, Object> document(ListBench.Row row) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("how", row.variant().name());
    shown.put("query", row.variant().query());
    shown.put("accept", row.variant().accept());
    shown.put("gzip", row.variant().gzip());
    shown.put("servedBy", row.servedBy());
    row.problem()
        .ifPresentOrElse(
            problem -> shown.put("problem", problem),
            () -> {
              row.objects().ifPresent(objects -> shown.put("objects", objects));
              shown.put("bytes", row.bytes());
              shown.put("requests", row.requests());
              shown.put("medianMillis", row.medianMillis());
              shown.put("maxMillis", row.maxMillis());
              shown.put("serverCpuMillis", row.cpuMillis());
            });
    return shown;
  }
}
