// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.lists.AuditLog;
import io.exaplane.tuning.lists.ClientReport;
import io.exaplane.tuning.lists.Finding;
import io.exaplane.tuning.lists.ListAnalysis;
import io.exaplane.tuning.lists.MetricsPage;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.PatchVersion;
import io.exaplane.tuning.version.PatchedBugs;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what LISTs cost. The names in JSON and YAML are fixed: scripts read them. */
final class ListsOutput {
  private final PrintWriter out;
  private final TuneCommand.Format format;
  private final int top;

  ListsOutput(PrintWriter out, TuneCommand.Format format, int top) {
    this.out = out;
    this.format = format;
    this.top = top;
  }

  void clients(Shape server, ListAnalysis analysis, AuditLog.Read read) {
    List<ClientReport> all = analysis.clients();
    double total = all.stream().mapToDouble(report -> report.cost().score()).sum();
    List<ClientReport> shown = all.subList(0, Math.min(top, all.size()));
    if (format != TuneCommand.Format.TABLE) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("version", server.version().toString());
      document.put("versionKnown", server.given(Input.KUBERNETES_VERSION).isPresent());
      document.put("warnings", bugs(server));
      document.put("events", read.requests());
      document.put("otherStages", read.otherStages());
      document.put("brokenLines", read.unrecognised());
      document.put("brokenExample", read.example());
      document.put("seconds", analysis.seconds());
      document.put("uncounted", analysis.uncounted());
      document.put("clients", shown.stream().map(report -> client(report, total)).toList());
      Documents.print(out, format, document);
      return;
    }
    out.printf(
        Locale.ROOT,
        "%,d requests of %d clients in %s s; Kubernetes %s%n",
        read.requests(),
        all.size(),
        Numbers.text(Math.rint(analysis.seconds())),
        server.given(Input.KUBERNETES_VERSION).isPresent()
            ? server.patchVersion()
            : server.version() + " (assumed; set --kubernetes-version or --metrics)");
    bugs(server).forEach(out::println);
    if (read.unrecognised() > 0) {
      out.printf(
          Locale.ROOT,
          "%,d lines or documents contain no audit event and were ignored, such as '%s'%n",
          read.unrecognised(),
          read.example());
    }
    if (!analysis.uncounted().isEmpty()) {
      out.printf(
          "the number of these objects is unknown, so their LISTs count as free: %s%n",
          String.join(", ", analysis.uncounted()));
    }
    out.println();
    clientTable(shown, total);
    findings(shown);
  }

  /** What the server's LISTs and stores cost beside what clients ask. */
  private static List<String> bugs(Shape server) {
    PatchVersion version = server.patchVersion();
    return PatchedBugs.of(version).stream()
        .filter(bug -> bug.component() == Component.KUBE_APISERVER)
        .map(
            bug ->
                "%s has a bug that %s fixed: %s"
                    .formatted(version, bug.fixedIn(version.minor()), bug.text()))
        .toList();
  }

  private void clientTable(List<ClientReport> shown, double total) {
    Table table =
        new Table(
            "COST",
            "ACCOUNT",
            "PROGRAM",
            "FROM",
            "LISTS",
            "FAILED",
            "STORE READS",
            "STORE BYTES",
            "CACHE WALKS",
            "SENT");
    for (ClientReport report : shown) {
      table.row(
          String.format(Locale.ROOT, "%.1f %%", 100 * report.cost().score() / Math.max(1, total)),
          report.client().account(),
          report.client().program(),
          Integer.toString(report.instances()),
          Long.toString(report.lists()),
          Long.toString(report.failed()),
          Numbers.text(Math.rint(report.cost().storeObjects())),
          Bytes.text(report.cost().storeBytes()),
          Numbers.text(Math.rint(report.cost().cacheObjects())),
          Bytes.text(report.cost().returnedBytes()));
    }
    table.print(out);
  }

  private void findings(List<ClientReport> shown) {
    for (ClientReport report : shown) {
      if (!report.findings().isEmpty()) {
        out.printf(
            "%n%s, %s%n",
            Table.plain(report.client().account()), Table.plain(report.client().program()));
        report
            .findings()
            .forEach(
                (finding, times) ->
                    out.printf(
                        "  %s (%d): %s%n      fix: %s%n",
                        name(finding), times, finding.text(), finding.fix()));
      }
    }
    out.flush();
  }

  void resources(List<MetricsPage.Lists> lists) {
    List<MetricsPage.Lists> shown = lists.subList(0, Math.min(top, lists.size()));
    if (format != TuneCommand.Format.TABLE) {
      Documents.print(out, format, Map.of("resources", shown));
      return;
    }
    Table table =
        new Table(
            "RESOURCE",
            "OBJECTS",
            "STORE LISTS",
            "STORE READS",
            "CACHE LISTS",
            "CACHE WALKS",
            "SENT",
            "READ FOR EACH SENT");
    for (MetricsPage.Lists one : shown) {
      table.row(
          one.resource(),
          Numbers.text(one.objects()),
          Numbers.text(one.storeLists()),
          Numbers.text(one.storeFetched()),
          Numbers.text(one.cacheLists()),
          Numbers.text(one.cacheFetched()),
          Numbers.text(one.returned()),
          String.format(Locale.ROOT, "%.1f", one.waste()));
    }
    table.print(out);
  }

  private static Map<String, Object> client(ClientReport report, double total) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("account", report.client().account());
    shown.put("program", report.client().program());
    shown.put("share", report.cost().score() / Math.max(1, total));
    shown.put("requests", report.requests());
    shown.put("lists", report.lists());
    shown.put("failed", report.failed());
    shown.put("instances", report.instances());
    shown.put("servedBy", report.servedBy());
    shown.put("storeObjects", report.cost().storeObjects());
    shown.put("storeBytes", report.cost().storeBytes());
    shown.put("cacheObjects", report.cost().cacheObjects());
    shown.put("returnedBytes", report.cost().returnedBytes());
    shown.put(
        "findings",
        report.findings().entrySet().stream()
            .map(
                entry -> {
                  Map<String, Object> finding = new LinkedHashMap<>();
                  finding.put("name", name(entry.getKey()));
                  finding.put("times", entry.getValue());
                  finding.put("text", entry.getKey().text());
                  finding.put("fix", entry.getKey().fix());
                  return finding;
                })
            .toList());
    return shown;
  }

  /** As conditions are written: StoreReads. */
  static String name(Finding finding) {
    StringBuilder name = new StringBuilder();
    for (String word : finding.name().split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
