// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.discovery.ColdDiscovery;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What CustomResourceDefinitions of files will cost, before they are installed. */
@Command(
    name = "cost",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Says what the CustomResourceDefinitions of files will take of each kube-apiserver, and what"
          + " clients without a cache will wait.",
      "With --kubeconfig, also says whether those that the server does not serve yet fit into its"
          + " memory. Nothing is written."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the answer was printed, and no definition is known not to fit",
      "1:with --kubeconfig: the definitions do not fit, or a file cannot be read",
      "2:an option is wrong, or the files hold no definition"
    })
final class CrdsCostCommand implements Callable<Integer> {
  /** GroupVersions that Kubernetes has by itself. */
  private static final int BUILT_IN = 33;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE|DIR|-",
      required = true,
      description =
          "File or folder in YAML or JSON, also several times; - is the standard input. Plain or"
              + " gzip.")
  private List<Path> files;

  @Mixin private DefinitionFilterOptions filter;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig for one kube-apiserver to ask (default: none is asked).")
  private Path kubeconfig;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    Reading all = ManifestReader.read(files, System.in);
    for (Problem problem : all.problems()) {
      err.println("error: " + problem);
    }
    Reading reading = filter.chosen(all, false, err);
    List<JsonNode> definitions = DefinitionCheck.definitions(reading.manifests());
    if (definitions.isEmpty()) {
      throw new InvalidInputException(
          "filename",
          files.toString(),
          "must hold a CustomResourceDefinition at least",
          "check -f, --include and --exclude");
    }
    DefinitionCost cost = DefinitionCost.of(definitions);
    Map<String, Object> document = document(cost, definitions);
    boolean tooMany = kubeconfig != null && asked(reading, document);
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      print(out, cost, document);
    } else {
      Documents.print(out, chosen.format, document);
    }
    return tooMany || !all.isWhole() ? Exactl.FAILED : 0;
  }

  private boolean asked(Reading reading, Map<String, Object> document) throws InterruptedException {
    try (ServerPort api = ServerPort.of(ApiServer.config(kubeconfig), ApplyCommand.MANAGER)) {
      DefinitionCheck check = DefinitionCheck.of(api, reading.manifests()).orElse(null);
      document.put("fits", check == null ? "at most 10 are new" : check.words());
      return check != null && check.tooMany();
    } catch (ApiException e) {
      throw new MeasurementException(
          "the server cannot be asked (" + e.getMessage() + "); check --kubeconfig");
    }
  }

  private static Map<String, Object> document(DefinitionCost cost, List<JsonNode> definitions) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("definitions", cost.definitions());
    document.put("groupVersions", cost.groupVersions());
    document.put("properties", cost.properties());
    document.put("schemaBytes", cost.schemaBytes());
    document.put("liveHeapBytes", cost.liveBytes());
    Map<String, List<JsonNode>> groups = new TreeMap<>();
    definitions.forEach(
        one ->
            groups
                .computeIfAbsent(one.path("spec").path("group").asText(), any -> new ArrayList<>())
                .add(one));
    List<Map<String, Object>> rows = new ArrayList<>();
    groups.forEach(
        (group, members) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("group", group);
          row.put("kinds", members.stream().map(DefinitionCheck::kind).sorted().toList());
          row.put("liveHeapBytes", DefinitionCost.of(members).liveBytes());
          rows.add(row);
        });
    document.put("groups", rows);
    document.put("discovery", discovery(cost.groupVersions() + BUILT_IN));
    return document;
  }

  private static List<Map<String, Object>> discovery(int groupVersions) {
    return List.of(
        client("client-go 0.30 and later: one document", new ColdDiscovery(2, 0)),
        client(
            "client-go before 0.30, on 1.33 and later: burst 300, 50/s",
            ColdDiscovery.unaggregated(groupVersions, 300, 50)),
        client(
            "client-go before 0.30, on 1.33 and later: burst 300, 5/s",
            ColdDiscovery.unaggregated(groupVersions, 300, 5)));
  }

  private static Map<String, Object> client(String name, ColdDiscovery cold) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("client", name);
    row.put("requests", cold.requests());
    row.put("seconds", cold.seconds());
    return row;
  }

  private static void print(PrintWriter out, DefinitionCost cost, Map<String, Object> document) {
    Table groups = new Table("GROUP", "KINDS", "LIVE HEAP");
    for (Object row : (List<?>) document.get("groups")) {
      Map<?, ?> cells = (Map<?, ?>) row;
      groups.row(
          cells.get("group").toString(),
          Integer.toString(((List<?>) cells.get("kinds")).size()),
          Bytes.text((double) cells.get("liveHeapBytes")));
    }
    groups.row("all", Integer.toString(cost.definitions()), Bytes.text(cost.liveBytes()));
    groups.print(out);
    out.println();
    Table clients = new Table("CLIENT WITHOUT A CACHE", "REQUESTS", "SECONDS");
    for (Object row : (List<?>) document.get("discovery")) {
      Map<?, ?> cells = (Map<?, ?>) row;
      clients.row(
          cells.get("client").toString(),
          Numbers.text((double) cells.get("requests")),
          Numbers.text((double) cells.get("seconds")));
    }
    clients.print(out);
    if (document.containsKey("fits")) {
      out.println();
      out.println(document.get("fits"));
      out.flush();
    }
  }
}
