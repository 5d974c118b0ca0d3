// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.ServerView;
import io.exaplane.tuning.model.Bytes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all clients together ask of one kube-apiserver. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the requests that all clients send to one kube-apiserver within a time, by its own "
          + "metrics: by verb and resource, for each node, and to its stores; also watches, CPU "
          + "and memory. It puts no load on the server.",
      "Run it beside a load, or beside real nodes, to compare them. The account needs to get "
          + "/metrics. See docs/bench.md."
    })
final class BenchServerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig for one kube-apiserver (default: as kubectl).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: the current one).")
  private String context;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Measured time (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    Duration time = LoadOptions.duration("duration", duration, false);
    ServerView view;
    try (ApiServer server = ApiServer.connect(kubeconfig, context)) {
      view = ServerView.measure(server, time);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      print(out, view);
    } else {
      Documents.print(out, chosen.format, view);
    }
    return 0;
  }

  private static void print(PrintWriter out, ServerView view) {
    out.printf(
        "%s, %.1f s, %d nodes: %.2f cores, %s of memory%n%n",
        view.server(), view.seconds(), view.nodes(), view.cores(), Bytes.text(view.memoryBytes()));
    Table requests = new Table("REQUEST", "COUNT", "PER S", "PER NODE AND MINUTE");
    for (ServerView.Requests each : view.requests()) {
      requests.row(
          each.verb() + " " + each.resource(),
          Long.toString(each.count()),
          "%.2f".formatted(each.perSecond()),
          "%.2f".formatted(each.perNodeMinute()));
    }
    requests.print(out);
    out.println();
    Table watches = new Table("WATCHES", "OPEN", "PER NODE", "EVENTS SENT");
    for (ServerView.Watches each : view.watches()) {
      watches.row(
          each.resource(),
          Long.toString(each.open()),
          "%.2f".formatted(each.perNode()),
          Long.toString(each.events()));
    }
    watches.print(out);
    out.println();
    Table store = new Table("TO STORES", "COUNT", "PER S");
    for (ServerView.StoreRequests each : view.store()) {
      store.row(
          each.operation() + " " + each.resource(),
          Long.toString(each.count()),
          "%.2f".formatted(each.perSecond()));
    }
    store.print(out);
    out.flush();
  }
}
