// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.alerts.Alert;
import io.exaplane.tuning.alerts.AlertGroup;
import io.exaplane.tuning.alerts.AlertInputs;
import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.alerts.RulesDocument;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The alerts of a fleet of control planes, for Prometheus. */
@Command(
    name = "alerts",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints alerts for Prometheus, by the metrics that hosted clusters of a Kubernetes version "
            + "have. docs/alerts.md shows how to load them.")
final class AlertsCommand implements Callable<Integer> {
  /** How to print them. */
  enum Format {
    TABLE,
    YAML,
    RULES,
    JSON
  }

  private static final double MEGABYTES = 1e6;

  @Spec private CommandSpec spec;

  @Option(
      names = "--kubernetes",
      paramLabel = "VERSION",
      defaultValue = "1." + AlertRules.NEWEST,
      description =
          "Version of the hosted clusters, 1.34 to 1.37; for several, the oldest (default: "
              + "${DEFAULT-VALUE}).")
  private String version;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|yaml|rules|json",
      defaultValue = "table",
      description =
          "Table for people. yaml and json are an object PrometheusRule, and rules is a file of rules "
              + "(default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--runbooks",
      paramLabel = "URL",
      defaultValue = RulesDocument.RUNBOOKS,
      description =
          "Beginning of the links to runbooks, such as https://wiki.example.org/exaplane/ (default: "
              + "${DEFAULT-VALUE}).")
  private String runbooks;

  @Option(
      names = "--store-network",
      paramLabel = "MEGABYTES",
      defaultValue = "1250",
      description =
          "Network of a store, in megabytes a second, for ExaplaneStoreNetworkFull (default: "
              + "${DEFAULT-VALUE}).")
  private double storeNetwork;

  @Override
  public Integer call() {
    List<AlertGroup> groups =
        AlertRules.of(new AlertInputs(KubernetesVersion.minor(version), bytes()));
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case YAML -> out.print(Documents.yaml(RulesDocument.object(groups, runbooks)));
      case JSON -> out.print(Documents.json(RulesDocument.object(groups, runbooks)));
      case RULES -> out.print(Documents.yaml(RulesDocument.file(groups, runbooks)));
      case TABLE -> table(groups, out);
    }
    out.flush();
    return 0;
  }

  private double bytes() {
    if (!(storeNetwork >= 1 && storeNetwork <= 1e6)) {
      throw new InvalidInputException(
          "--store-network",
          Double.toString(storeNetwork),
          "must be 1 to 1,000,000",
          "write megabytes a second: 1250 for 10 Gbit/s");
    }
    return storeNetwork * MEGABYTES;
  }

  private static void table(List<AlertGroup> groups, PrintWriter out) {
    Table table = new Table("ALERT", "SEVERITY", "AFTER", "BASIS");
    for (AlertGroup group : groups) {
      for (Alert alert : group.alerts()) {
        table.row(
            alert.name(),
            alert.severity().name().toLowerCase(Locale.ROOT),
            alert.held(),
            alert.basis());
      }
    }
    table.print(out);
  }
}
