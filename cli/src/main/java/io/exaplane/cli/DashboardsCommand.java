// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.dashboards.Dashboard;
import io.exaplane.tuning.dashboards.Dashboards;
import io.exaplane.tuning.dashboards.Grafana;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The dashboards of a fleet of control planes, for Grafana. */
@Command(
    name = "dashboards",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints dashboards for Grafana, by the metrics that hosted clusters of a Kubernetes version "
            + "have. docs/dashboards.md shows how to load them.")
final class DashboardsCommand implements Callable<Integer> {
  /** How to print them. */
  enum Format {
    TABLE,
    JSON,
    YAML
  }

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description =
          "One dashboard: fleet, control-plane, store, scheduler, nodes or run (default: all).")
  private String name;

  @Option(
      names = "--kubernetes",
      paramLabel = "VERSION",
      defaultValue = "1." + AlertRules.NEWEST,
      description =
          "Version of the hosted clusters, 1.34 to 1.37; for several, the newest (default: "
              + "${DEFAULT-VALUE}).")
  private String version;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      defaultValue = "table",
      description =
          "Table for people. json is one dashboard, as Grafana imports it. yaml is a ConfigMap for "
              + "each, as Grafana's sidecar reads them (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "Write a JSON file for each dashboard into this folder, which must exist.")
  private Path folder;

  @Override
  public Integer call() {
    List<Dashboard> dashboards = chosen(Dashboards.of(KubernetesVersion.minor(version)));
    PrintWriter out = spec.commandLine().getOut();
    if (folder != null) {
      write(dashboards);
    } else {
      switch (format) {
        case TABLE -> table(dashboards, out);
        case JSON -> out.print(Grafana.json(only(dashboards)));
        case YAML -> out.print(Documents.yaml(configMaps(dashboards)));
      }
    }
    out.flush();
    return 0;
  }

  private List<Dashboard> chosen(List<Dashboard> all) {
    if (name == null) {
      return all;
    }
    List<Dashboard> named = all.stream().filter(each -> each.name().equals(name)).toList();
    if (named.isEmpty()) {
      throw new InvalidInputException(
          "NAME",
          name,
          "is not a dashboard",
          "name one of " + String.join(", ", all.stream().map(Dashboard::name).toList()));
    }
    return named;
  }

  private Dashboard only(List<Dashboard> dashboards) {
    if (dashboards.size() > 1) {
      throw new InvalidInputException(
          "NAME",
          "",
          "must be one dashboard with -o json, since Grafana imports one at a time",
          "name it as in 'exactl dashboards fleet -o json', or use --folder");
    }
    return dashboards.getFirst();
  }

  private void write(List<Dashboard> dashboards) {
    if (!Files.isDirectory(folder)) {
      throw new InvalidInputException(
          "--folder", folder.toString(), "must be a folder", "create the folder first");
    }
    for (Dashboard dashboard : dashboards) {
      Path file = folder.resolve(dashboard.name() + ".json");
      try {
        Files.writeString(file, Grafana.json(dashboard));
      } catch (IOException e) {
        throw new InvalidInputException(
            "--folder",
            folder.toString(),
            "must be writable, but %s is not".formatted(file.getFileName()),
            "choose another folder");
      }
    }
  }

  private static Map<String, Object> configMaps(List<Dashboard> dashboards) {
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("items", dashboards.stream().map(Grafana::configMap).toList());
    return list;
  }

  private static void table(List<Dashboard> dashboards, PrintWriter out) {
    Table table = new Table("DASHBOARD", "PANELS", "SHOWS");
    for (Dashboard dashboard : dashboards) {
      table.row(dashboard.name(), Integer.toString(dashboard.panels().size()), dashboard.shows());
    }
    table.print(out);
  }
}
