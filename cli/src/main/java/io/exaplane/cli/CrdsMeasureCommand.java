// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.ColdClient;
import io.exaplane.cli.measure.DefinitionBench;
import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.version.GoNumbers;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What many CustomResourceDefinitions cost, measured at a kube-apiserver. */
@Command(
    name = "measure",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Installs generated CustomResourceDefinitions, and measures how long the server takes "
          + "to serve them.",
      "Also measures kube-apiserver's memory and CPU time, another client's requests, and "
          + "clients without a cache.",
      "The account needs to create, watch and delete CustomResourceDefinitions, and to get "
          + "/metrics, namespaces and, for memory, /debug/pprof.",
      "Removes the definitions afterwards. Do not use this on a cluster that others need: "
          + "its API may answer late."
    })
final class CrdsMeasureCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ServerOption server;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Number of definitions (default: ${DEFAULT-VALUE}).")
  private int count;

  @Mixin private DefinitionOptions definitions;

  @Option(
      names = "--rate",
      paramLabel = "advised|unlimited|NUMBER",
      defaultValue = "advised",
      description =
          "Definitions a second: 'advised' by the model, 'unlimited' with eight clients, or a "
              + "number (default: ${DEFAULT-VALUE}).")
  private String rate;

  @Option(
      names = "--limiter",
      arity = "1..*",
      split = ",",
      paramLabel = "BURST/QPS",
      defaultValue = "300/50",
      description =
          "Rate limits of the measured clients without aggregated discovery (default: "
              + "${DEFAULT-VALUE}, the same as kubectl; client-go's controllers have 300/5).")
  private List<String> limiters;

  @Option(
      names = "--kubectl",
      paramLabel = "FILE",
      description = "A kubectl to measure, too (default: none).")
  private String kubectl;

  @Option(names = "--keep", description = "Keep the definitions, with label exaplane.io/measured.")
  private boolean keep;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    DefinitionOptions.inRange("count", count, 1, DefinitionOptions.MOST);
    int properties = definitions.properties();
    int spread = definitions.groups(count);
    OptionalDouble perSecond = perSecond();
    List<int[]> limits = limiters.stream().map(CrdsMeasureCommand::limiter).toList();
    Map<String, Object> document;
    try (ApiServer connected = server.connect()) {
      ColdClient client = new ColdClient(connected);
      if (kubectl != null) {
        client.kubectl(kubectl, server.kubeconfig); // so that a wrong one is found before
      }
      DefinitionBench bench = new DefinitionBench(connected);
      Thread interrupted = Thread.ofPlatform().unstarted(() -> leftBehind(bench));
      Runtime.getRuntime().addShutdownHook(interrupted);
      try {
        document =
            measured(bench, client, limits, b -> b.install(count, properties, spread, perSecond));
      } finally {
        Runtime.getRuntime().removeShutdownHook(interrupted);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      print(out, document);
    } else {
      Documents.print(out, chosen.format, document);
    }
    return 0;
  }

  /** Installs, measures and removes; what kept it from measuring comes before what kept it then. */
  private Map<String, Object> measured(
      DefinitionBench bench,
      ColdClient client,
      List<int[]> limits,
      Function<DefinitionBench, DefinitionBench.Result> install) {
    RuntimeException failure = null;
    try {
      Map<String, Object> document = document(install.apply(bench));
      document.put("discovery", discovery(client, limits));
      return document;
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    } finally {
      if (!keep) {
        remove(bench, failure);
      }
    }
  }

  private static void remove(DefinitionBench bench, RuntimeException failure) {
    try {
      bench.remove();
    } catch (RuntimeException e) {
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
  }

  private void leftBehind(DefinitionBench bench) {
    spec.commandLine()
        .getErr()
        .println(
            "interrupted; remove the definitions with: kubectl delete crd -l " + bench.selector());
  }

  private OptionalDouble perSecond() {
    return switch (rate) {
      case "unlimited" -> OptionalDouble.empty();
      case "advised" -> OptionalDouble.of(Definitions.ADVISED_PER_SECOND);
      default -> OptionalDouble.of(number(rate));
    };
  }

  private static double number(String text) {
    try {
      double number = GoNumbers.decimal(text);
      if (number > 0 && number <= 10_000) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new InvalidInputException(
        "rate", text, "must be advised, unlimited or a number up to 10,000", "see --help");
  }

  private static int[] limiter(String text) {
    if (!text.matches("[1-9][0-9]{0,5}/[1-9][0-9]{0,5}")) {
      throw new InvalidInputException(
          "limiter", text, "must be BURST/QPS, two numbers", "write 300/50");
    }
    String[] parts = text.split("/");
    return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
  }

  private Map<String, Object> document(DefinitionBench.Result result) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("definitions", result.count());
    document.put("schemaKib", result.schemaKib());
    document.put("rate", rate);
    document.put("createSeconds", result.createSeconds());
    document.put("establishedMedianSeconds", result.establishedMedianSeconds());
    document.put("establishedMaxSeconds", result.establishedMaxSeconds());
    document.put("cpuSeconds", result.cpuSeconds());
    document.put(
        "heapBytesPerDefinition",
        result.bytesPerDefinition().isPresent()
            ? (Object) result.bytesPerDefinition().getAsDouble()
            : "unknown, since the server does not allow profiling");
    document.put("heapPeakBytes", result.peakBytes());
    document.put("probes", result.probes());
    document.put("failedProbes", result.failedProbes());
    document.put("probeFailures", result.failures());
    document.put("probeMedianSeconds", result.probeMedianSeconds());
    document.put("probeMaxSeconds", result.probeMaxSeconds());
    return document;
  }

  private List<Map<String, Object>> discovery(ColdClient client, List<int[]> limits) {
    int groupVersions = client.groupVersions();
    List<Map<String, Object>> rows = new ArrayList<>();
    if (kubectl != null) {
      rows.add(
          row("kubectl " + kubectl, groupVersions, client.kubectl(kubectl, server.kubeconfig)));
    }
    for (int[] limit : limits) {
      ColdClient.Learned learned = client.unaggregated(limit[0], limit[1]);
      Map<String, Object> row =
          row(
              "each GroupVersion, burst %d, %d/s".formatted(limit[0], limit[1]),
              groupVersions,
              learned.seconds());
      row.put("failed", learned.failed());
      row.put(
          "limiterSeconds",
          ColdDiscovery.unaggregated(groupVersions, limit[0], limit[1]).limiterSeconds());
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> row(String client, int groupVersions, double seconds) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("client", client);
    row.put("groupVersions", groupVersions);
    row.put("seconds", seconds);
    return row;
  }

  private static void print(PrintWriter out, Map<String, Object> document) {
    Table table = new Table("", "");
    document.forEach(
        (name, value) -> {
          if (!name.equals("discovery") && !(value instanceof List<?> list && list.isEmpty())) {
            table.row(name, text(name, value));
          }
        });
    table.print(out);
    out.println();
    Table clients =
        new Table("CLIENT WITHOUT A CACHE", "GROUPVERSIONS", "SECONDS", "ITS LIMITER", "NO ANSWER");
    for (Object row : (List<?>) document.get("discovery")) {
      Map<?, ?> cells = (Map<?, ?>) row;
      Object limiter = cells.get("limiterSeconds");
      clients.row(
          cells.get("client").toString(),
          cells.get("groupVersions").toString(),
          Numbers.text((double) cells.get("seconds")),
          limiter == null ? "" : Numbers.text((double) limiter) + " s",
          cells.get("failed") == null ? "" : cells.get("failed").toString());
    }
    clients.print(out);
  }

  private static String text(String name, Object value) {
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    return name.contains("Bytes") ? Bytes.text(number) : Numbers.text(number);
  }
}
