// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.fleet.Changes;
import io.exaplane.cli.fleet.FleetBench;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Durations;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a fleet is, and what is measured at it. */
final class FleetOptions {
  static final String NEWEST = "1.37.2";
  private static final int MOST = 9_999;
  private static final int LONGEST_PREFIX = 50;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Number of ControlPlanes (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--namespace-prefix",
      paramLabel = "PREFIX",
      defaultValue = "exaplane-bench",
      description =
          "Beginning of the namespaces' names; -0000 and so on follow (default: ${DEFAULT-VALUE}).")
  private String prefix;

  @Option(
      names = "--kubernetes-version",
      paramLabel = "VERSION",
      defaultValue = NEWEST,
      description = "spec.version of the ControlPlanes (default: ${DEFAULT-VALUE}).")
  private String version;

  @Option(
      names = "--allow-pods",
      description =
          "Creates no quotas, so pods run where nodes accept them. Use this only on a management "
              + "cluster without schedulable nodes.")
  private boolean allowPods;

  @Option(
      names = "--settle",
      paramLabel = "DURATION",
      defaultValue = "3m",
      description =
          "Waits so long before the idle time: messages change two minutes after a creation "
              + "(default: ${DEFAULT-VALUE}).")
  private String settle;

  @Option(
      names = "--idle",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Time in which writes are counted (default: ${DEFAULT-VALUE}).")
  private String idle;

  @Option(
      names = "--change",
      paramLabel = "PATCH",
      defaultValue = Changes.SMALLEST,
      description =
          "Measured change: a JSON merge patch of spec; {n} stands for the number of the round "
              + "(default: an annotation of the API's Service).")
  private String change;

  @Option(
      names = "--changes-per-second",
      paramLabel = "NUMBER",
      defaultValue = "10",
      description = "Rate of the measured changes (default: ${DEFAULT-VALUE}).")
  private double changesPerSecond;

  @Option(
      names = "--kill-leader",
      description =
          "Also deletes the pod of the operator that leads, and measures the takeover. The operator"
              + " manages your other ControlPlanes, too.")
  private boolean killLeader;

  @Option(
      names = "--operator-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "exaplane-system",
      description = "The operator's namespace, for --kill-leader (default: ${DEFAULT-VALUE}).")
  private String operatorNamespace;

  @Option(
      names = "--metrics",
      paramLabel = "URL",
      description =
          "URL of the operator's metrics, for example http://127.0.0.1:8080/q/metrics after 'kubectl "
              + "port-forward': shows threads, memory and the time of reconciliations (default: none).")
  private String metrics;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description = "Longest wait for each part (default: ${DEFAULT-VALUE}).")
  private String timeout;

  /**
   * All of it, checked.
   *
   * @throws InvalidInputException for the first that cannot be
   */
  FleetBench.Settings settings() {
    if (count < 1 || count > MOST) {
      throw new InvalidInputException(
          "count", Integer.toString(count), "must lie between 1 and 9,999", "see --help");
    }
    if (!prefix.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?") || prefix.length() > LONGEST_PREFIX) {
      throw new InvalidInputException(
          "namespace-prefix",
          prefix,
          "must be lower-case letters, digits and hyphens, at most 50",
          "write it as exaplane-bench");
    }
    if (!version.matches("1\\.[0-9]{1,3}\\.[0-9]{1,3}")) {
      throw new InvalidInputException(
          "kubernetes-version", version, "must have three parts", "write it as " + NEWEST);
    }
    if (!(changesPerSecond > 0 && changesPerSecond <= 10_000)) {
      throw new InvalidInputException(
          "changes-per-second",
          Double.toString(changesPerSecond),
          "must be above 0 and at most 10,000",
          "see --help");
    }
    String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    return new FleetBench.Settings(
        new FleetNames(prefix, run, 0, count),
        version,
        allowPods,
        length("settle", settle, true),
        length("idle", idle, false),
        patch(),
        changesPerSecond,
        killLeader,
        operatorNamespace,
        Optional.ofNullable(metrics).map(FleetOptions::page),
        length("timeout", timeout, false));
  }

  private String patch() {
    try {
      JsonNode patch = new JsonMapper().readTree(change);
      if (patch.isObject() && patch.size() == 1 && patch.path("spec").isObject()) {
        return change;
      }
    } catch (JsonProcessingException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "change",
        change,
        "must be a JSON object with the field spec only",
        "write it as '{\"spec\":{\"maxNodes\":90}}'");
  }

  private static Duration length(String name, String text, boolean mayBeNone) {
    try {
      Duration length = Duration.ofNanos(Durations.nanos(text));
      if (length.isPositive() || mayBeNone && length.isZero()) {
        return length;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        name, text, "must be a duration" + (mayBeNone ? "" : " above 0"), "write it as 1m");
  }

  private static URI page(String text) {
    try {
      URI page = URI.create(text);
      if (page.getHost() != null && List.of("http", "https").contains(page.getScheme())) {
        return page;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "metrics", text, "must be a URL", "write it as http://127.0.0.1:8080/q/metrics");
  }
}
