// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Await;
import io.exaplane.tuning.dashboards.Dashboard;
import io.exaplane.tuning.dashboards.Dashboards;
import io.exaplane.tuning.dashboards.Panel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus finds real processes by the configuration that 'exactl monitors' prints, takes
 * the alerts, and has an answer to every query of every dashboard.
 */
class DashboardsPrometheusTest {
  /** Many scrapes, and many rounds of the load: an answer comes after a few of each. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final int JOBS = 6;

  /** An empty label is none to Prometheus: the group of core Kinds, the zone of nodes here. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("group", "scope", "zone", "resource");

  /** Of the fleet's ControlPlane, whose pods never run: on a busy machine the test takes longer. */
  private static final Set<String> NEVER_RUNS =
      Set.of("ExaplaneControlPlaneDown", "ExaplaneStoreDown");

  private static final Set<String> PROCESSES =
      Set.of(
          "exaplane-apiserver team demo server",
          "exaplane-controller-manager team demo managers",
          "exaplane-kube-scheduler team demo scheduler",
          "exaplane-operator exaplane-system - operator",
          "exaplane-scheduler team demo root",
          "exaplane-store team demo store");

  @TempDir private static Path folder;
  private static MonitoredFleet fleet;
  private static LivePrometheus prometheus;
  private static List<Dashboard> dashboards;

  @BeforeAll
  static void start() throws Exception {
    dashboards = Dashboards.of(Clusters.version());
    fleet = MonitoredFleet.start(folder);
    prometheus =
        LivePrometheus.start(
            folder,
            exactl(
                "monitors",
                "--output=scrape",
                "--interval=3s",
                "--control-plane=" + MonitoredFleet.NAMESPACE + "/" + MonitoredFleet.NAME),
            exactl("alerts", "--output=rules", "--kubernetes=" + Clusters.version()),
            fleet.api(),
            MonitoredFleet.READER);
    Await.until(
        PATIENCE,
        "all processes are read",
        () -> prometheus.query("up == 1").path("result").size() == JOBS,
        () -> prometheus.ask("/api/v1/targets?state=active"));
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
    if (fleet != null) {
      fleet.close();
    }
  }

  /** All jobs, with the labels that alerts and dashboards go by. */
  @Test
  void everyProcessIsFoundByItsPod() throws Exception {
    // A busy process may let a question wait too long, and answers the next one.
    Await.until(
        PATIENCE,
        "each process is found by its pod, and answers",
        () -> processes("up == 1").equals(PROCESSES) && processes("up == 0").isEmpty(),
        () -> processes("up"));
    assertThat(fleet.trouble()).isEmpty();
  }

  private static Set<String> processes(String query) throws Exception {
    Set<String> found = new TreeSet<>();
    for (JsonNode series : prometheus.query(query).path("result")) {
      JsonNode labels = series.path("metric");
      found.add(
          String.join(
              " ",
              labels.path("job").asText(),
              labels.path("namespace").asText(),
              labels.path("controlplane").asText("-"),
              labels.path("pod").asText()));
    }
    return found;
  }

  /** Of all panels, also of those that may be empty and say so. */
  @TestFactory
  Stream<DynamicTest> everyQueryHasAnAnswer() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Dashboard dashboard : dashboards) {
      for (Panel panel : dashboard.panels()) {
        tests.add(
            DynamicTest.dynamicTest(
                dashboard.name() + ": " + panel.title(), () -> answersAll(panel)));
      }
    }
    return tests.stream();
  }

  private static void answersAll(Panel panel) throws Exception {
    for (Panel.Query query : panel.queries()) {
      String promql = live(query.promql());
      Await.until(
          PATIENCE, promql, () -> prometheus.answers(promql), () -> prometheus.query(promql));
      for (JsonNode series : prometheus.query(promql).path("result")) {
        for (String label : labels(query.legend())) {
          assertThat(series.path("metric").has(label)).as(label + " in " + series).isTrue();
        }
      }
    }
  }

  private static List<String> labels(String legend) {
    return Pattern.compile("\\{\\{(\\w+)}}")
        .matcher(legend)
        .results()
        .map(label -> label.group(1))
        .filter(label -> !MAY_BE_EMPTY.contains(label))
        .toList();
  }

  /** What people choose at the top of a dashboard. */
  @Test
  void everyChoiceHasValues() throws Exception {
    for (Dashboard dashboard : dashboards) {
      for (Dashboard.Choice choice : dashboard.choices()) {
        Await.until(
            PATIENCE,
            dashboard.name() + ": " + choice.name(),
            () -> values(choice).contains(live("$" + choice.name())),
            () -> values(choice));
      }
    }
  }

  private static List<String> values(Dashboard.Choice choice) throws Exception {
    return prometheus.series(live(choice.metric())).findValuesAsText(choice.value());
  }

  private static List<JsonNode> rules() throws Exception {
    List<JsonNode> rules = new ArrayList<>();
    for (JsonNode group : prometheus.ask("/api/v1/rules").path("groups")) {
      group.path("rules").forEach(rules::add);
    }
    return rules;
  }

  /** Prometheus evaluates all of them; a control plane with a little trouble makes none fire. */
  @Test
  void alertsAreTakenAndNoneFires() throws Exception {
    Await.until(
        PATIENCE,
        "every rule was evaluated",
        () -> rules().stream().allMatch(rule -> rule.path("health").asText().equals("ok")),
        DashboardsPrometheusTest::rules);
    List<JsonNode> rules = rules();
    assertThat(rules).hasSizeGreaterThan(90);
    Set<String> firing = new TreeSet<>();
    for (JsonNode rule : rules) {
      if (rule.path("state").asText().equals("firing")) {
        firing.add(rule.path("name").asText());
      }
    }
    firing.removeAll(NEVER_RUNS);
    assertThat(firing).isEmpty();
  }

  /** As Grafana asks for the control plane of the test. */
  private static String live(String text) {
    return text.replace("$__rate_interval", "1m")
        .replace("$namespace", MonitoredFleet.NAMESPACE)
        .replace("$controlplane", MonitoredFleet.NAME)
        .replace("$pool", MonitoredFleet.NAME);
  }

  private static String exactl(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Exactl.run(new PrintWriter(out), new PrintWriter(err), arguments);
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }
}
