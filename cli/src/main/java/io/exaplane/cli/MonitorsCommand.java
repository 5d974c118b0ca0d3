// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.monitors.HostedPlane;
import io.exaplane.tuning.monitors.Monitors;
import io.exaplane.tuning.monitors.Target;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where Prometheus finds metrics. */
@Command(
    name = "monitors",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints what makes Prometheus read the metrics of the operator, of stores and of schedulers, "
            + "and of the components of control planes that you name. Alerts and dashboards need the "
            + "jobs and labels of this configuration; see docs/dashboards.md.")
final class MonitorsCommand implements Callable<Integer> {
  /** How to print it. */
  enum Format {
    YAML,
    JSON,
    SCRAPE
  }

  private static final Pattern INTERVAL = Pattern.compile("[1-9][0-9]{0,3}(ms|s|m)");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private static final String NAMESPACE_RULE = "must be the name of a namespace";

  @Spec private CommandSpec spec;

  @Option(
      names = "--control-plane",
      paramLabel = "NAMESPACE/NAME",
      description =
          "A control plane whose components are read; repeatable. Its token is in the Secret "
              + "NAME-prometheus, or in a file; see docs/dashboards.md.")
  private List<String> controlPlanes = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "yaml|json|scrape",
      defaultValue = "yaml",
      description =
          "yaml and json are objects of Prometheus' operator. scrape is a part of Prometheus' "
              + "configuration file (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--services",
      description =
          "Print ServiceMonitors for the operator, stores and kube-apiservers, which have Services. "
              + "Use it if your Prometheus selects ServiceMonitors. The other processes have "
              + "PodMonitors in any case.")
  private boolean services;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      defaultValue = "30s",
      description = "Time between two readings, such as 15s or 1m (default: ${DEFAULT-VALUE}).")
  private String interval;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "",
      description =
          "Namespace of the monitors of the whole fleet (default: that of 'kubectl apply').")
  private String namespace;

  @Option(
      names = "--operator-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "exaplane-system",
      description = "Namespace of the operator (default: ${DEFAULT-VALUE}).")
  private String operatorNamespace;

  @Override
  public Integer call() {
    check("--interval", interval, INTERVAL, "must be a number with ms, s or m", "write 30s");
    if (!namespace.isEmpty()) {
      check("--namespace", namespace, NAMESPACE, NAMESPACE_RULE, "write monitoring");
    }
    check(
        "--operator-namespace",
        operatorNamespace,
        NAMESPACE,
        NAMESPACE_RULE,
        "write exaplane-system");
    if (services && format == Format.SCRAPE) {
      throw new InvalidInputException(
          "--services",
          "true",
          "must be false with -o scrape, which finds pods",
          "write -o yaml, or leave --services out");
    }
    List<Target> targets = new ArrayList<>(Target.ofFleet(operatorNamespace));
    for (String controlPlane : controlPlanes) {
      targets.addAll(Target.ofControlPlane(HostedPlane.parse("--control-plane", controlPlane)));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (format) {
          case YAML -> Documents.yaml(list(targets));
          case JSON -> Documents.json(list(targets));
          case SCRAPE -> Documents.yaml(Monitors.scrapes(targets, interval));
        });
    out.flush();
    return 0;
  }

  private static void check(
      String option, String value, Pattern pattern, String rule, String next) {
    if (!pattern.matcher(value).matches()) {
      throw new InvalidInputException(option, value, rule, next);
    }
  }

  private Map<String, Object> list(List<Target> targets) {
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put(
        "items",
        services
            ? Monitors.serviceMonitors(targets, interval, namespace)
            : Monitors.podMonitors(targets, interval, namespace));
    return list;
  }
}
