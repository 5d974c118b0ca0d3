// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each value of the chart does something, and a wrong one is an error that names it. Helm 4 renders
 * every row, and Helm 3 all rows at once.
 */
class ChartValuesProcessTest {
  private static final String CHART = "../../config/helm/exaplane";

  /** Value, what sets it, and the line that comes (+) or goes (-). */
  private static final String EFFECTS =
      """
      replicas                         | replicas=3                                     | +  replicas: 3
      images.operator                  | images.operator=r.example/o:1                  | +        image: "r.example/o:1"
      images.operator                  | images.operator=r.example/o:1                  | +        imagePullPolicy: IfNotPresent
      images.operator                  | images.operator=r.example/o:1-SNAPSHOT         | +          value: "r.example/o:1-SNAPSHOT"
      images.store                     | images.store=r.example:5000/s:1                | +          value: "r.example:5000/s:1"
      images.scheduler                 | images.scheduler=r.example/a/s@sha256:%1$s     | +          value: "r.example/a/s@sha256:%1$s"
      imagePullSecrets                 | imagePullSecrets[0].name=keys                  | +        - name: keys
      controlPlanes.images.registry    | controlPlanes.images.registry=[fd00::1]:5000/k | +          value: "[fd00::1]:5000/k"
      controlPlanes.images.registry    | controlPlanes.images.registry=r.example/k      | +        - name: EXAPLANE_IMAGE_REGISTRY
      controlPlanes.images.pullSecret  | controlPlanes.images.pullSecret=keys           | +        - name: EXAPLANE_IMAGE_PULL_SECRET
      fleet.maxConcurrentRollouts      | fleet.maxConcurrentRollouts=25                 | +        - name: EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS
      fleet.maxConcurrentRollouts      | fleet.maxConcurrentRollouts=25                 | +          value: "25"
      fleet.rolloutLimit               | fleet.rolloutLimit=90m                         | +        - name: EXAPLANE_FLEET_ROLLOUT_LIMIT
      fleet.rolloutLimit               | fleet.rolloutLimit=90m                         | +          value: "90m"
      crds.install                     | crds.install=false                             | -kind: CustomResourceDefinition
      console.enabled                  | console.enabled=true                           | +        - name: EXAPLANE_CONSOLE_ENABLED
      console.enabled                  | console.enabled=true                           | +  name: exaplane-operator-console
      monitoring.podMonitors.enabled   | monitoring.podMonitors.enabled=true            | +kind: PodMonitor
      monitoring.podMonitors.useServices | monitoring.podMonitors.enabled=true,monitoring.podMonitors.useServices=true | +kind: ServiceMonitor
      monitoring.podMonitors.labels    | monitoring.podMonitors.enabled=true,monitoring.podMonitors.labels.release=p | +    release: p
      monitoring.podMonitors.interval  | monitoring.podMonitors.enabled=true,monitoring.podMonitors.interval=7s | +    interval: "7s"
      monitoring.dashboards.enabled    | monitoring.dashboards.enabled=true             | +  name: exaplane-dashboard-fleet
      monitoring.dashboards.labels     | monitoring.dashboards.enabled=true,monitoring.dashboards.labels.team=x | +    team: x
      resources                        | resources.limits.memory=2Gi                    | +            memory: 2Gi
      nodeSelector                     | nodeSelector.disk=ssd                          | +        disk: ssd
      tolerations                      | tolerations[0].key=infra                       | +        - key: infra
      """
          .formatted("0".repeat(64));

  /** What sets a wrong value, and words of the error, apart by ';'. */
  private static final String MISTAKES =
      """
      replicas=0                                       | replicas; 1
      replicas=two                                     | replicas; integer
      images.operator=                                 | images; operator
      images.operator=operator:1                       | images.operator: 'operator:1' must be a full name; registry.example.org/exaplane/operator:0.1.0
      images.store=r.example/store                     | images.store: 'r.example/store' must be a full name with a tag or a digest
      images.scheduler=r.example/s@sha256:1            | images.scheduler: 'r.example/s@sha256:1' must be
      images.operator=null                             | images; operator
      crds=null                                        | crds
      images.sheduler=r.example/s:1                    | images; sheduler
      imagePullSecrets=keys                            | imagePullSecrets; array
      controlPlanes.images.registry=https://r.example  | controlPlanes.images.registry: 'https://r.example' must be a host; registry.example.org/kubernetes
      controlPlanes.images.registry=r.example/         | controlPlanes.images.registry: 'r.example/' must be
      controlPlanes.images.pullSecret=My_Keys          | controlPlanes.images.pullSecret: 'My_Keys' must be the name of a Secret
      fleet.maxConcurrentRollouts=0                    | maxConcurrentRollouts; 1
      fleet.rolloutLimit=1d                            | fleet.rolloutLimit: '1d' must be a number with s, m or h; 30m
      fleet.rolloutLimit=0m                            | fleet.rolloutLimit: '0m' must be
      crds.install=yes                                 | crds; install; boolean
      console.enabled=on                               | console; enabled; boolean
      monitoring.podMonitors.enabled=yes               | monitoring; enabled; boolean
      monitoring.podMonitors.useServices=on            | monitoring; useServices; boolean
      monitoring.podMonitors.labels.a=1                | monitoring; labels; string
      monitoring.podMonitors.interval=30               | monitoring; interval
      monitoring.podMonitors.interval=0s               | monitoring.podMonitors.interval: '0s' must be a number with ms, s or m; 30s
      monitoring.dashboards.enabled=1                  | monitoring; enabled; boolean
      monitoring.dashboards.labels=x                   | monitoring; labels; object
      resources.limits.memory=2GB                      | resources.limits.memory: '2GB' must be a quantity; 2Gi
      resources.claims=x                               | resources; claims
      nodeSelector.disk=1                              | nodeSelector; disk; string
      tolerations[0].operator=exists                   | tolerations; Exists
      replcias=3                                       | replcias
      """;

  @TempDir private Path home;

  record Row(List<String> cells) {
    @Override
    public String toString() {
      return cells.toString();
    }
  }

  static Stream<Row> effects() {
    return rows(EFFECTS);
  }

  static Stream<Row> mistakes() {
    return rows(MISTAKES);
  }

  private static Stream<Row> rows(String table) {
    return table
        .lines()
        .map(line -> new Row(Stream.of(line.split("\\|")).map(String::strip).toList()));
  }

  @ParameterizedTest
  @MethodSource("effects")
  void aValueHasItsEffect(Row row) throws Exception {
    String line = row.cells().get(2).substring(1).strip();
    boolean comes = row.cells().get(2).startsWith("+");
    List<String> before = lines(template());
    List<String> after = lines(template("--set", row.cells().get(1)));
    assertThat(comes ? before : after).doesNotContain(line);
    assertThat(comes ? after : before).contains(line);
  }

  /** So that a new value cannot come without an effect, or a rule. */
  @Test
  void everyValueIsInBothTables() throws Exception {
    JsonNode schema = new ObjectMapper().readTree(Path.of(CHART, "values.schema.json").toFile());
    Set<String> leaves = new TreeSet<>();
    collect(schema, "", leaves);
    assertThat(leaves).hasSizeGreaterThan(10);
    assertThat(effects().map(row -> row.cells().getFirst()).collect(Collectors.toSet()))
        .isEqualTo(leaves);
    for (String leaf : leaves) {
      assertThat(mistakes().map(row -> row.cells().getFirst()))
          .as("a mistake in %s", leaf)
          .anyMatch(mistake -> mistake.startsWith(leaf));
    }
  }

  private static void collect(JsonNode schema, String path, Set<String> leaves) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String at = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
              if (property.getValue().has("description")) {
                leaves.add(at);
              } else {
                collect(property.getValue(), at, leaves);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsNamed(Row row) throws Exception {
    names(Tool.helm(home), row);
  }

  private static void names(Tool helm, Row row) throws IOException, InterruptedException {
    String error = helm.run("template", "x", CHART, "--set", row.cells().getFirst()).failed();
    for (String words : row.cells().get(1).split(";")) {
      assertThat(error).contains(words.strip());
    }
  }

  /** A value of another chart that has this one as a part. */
  @Test
  void globalValuesAreAllowed() throws Exception {
    assertThat(template("--set", "global.team=a")).isEqualTo(template());
  }

  @Test
  void lintFindsNothing() throws Exception {
    for (Tool helm : List.of(Tool.helm(home), Tool.helm3(home))) {
      String said = helm.run("lint", "--strict", CHART).passed();
      assertThat(said).contains("0 chart(s) failed").doesNotContain("[WARNING]", "[ERROR]");
    }
  }

  /** Without values, and with all rows at once but the one that leaves API types out. */
  @Test
  void helm3RendersTheSame() throws Exception {
    List<String> words = new ArrayList<>(List.of("template", "exaplane", CHART));
    assertThat(documents(Tool.helm3(home).run(words).passed())).isEqualTo(documents(template()));
    effects()
        .filter(row -> !row.cells().getFirst().equals("crds.install"))
        .forEach(row -> words.addAll(List.of("--set", row.cells().get(1))));
    String all = Tool.helm(home).run(words).passed();
    assertThat(all).contains("kind: ServiceMonitor", "disk: ssd", "exaplane-operator-console");
    assertThat(documents(Tool.helm3(home).run(words).passed())).isEqualTo(documents(all));
  }

  /** The two name them in different orders. */
  private static List<String> documents(String text) {
    return Stream.of(text.split("(?m)^---$")).map(String::strip).sorted().toList();
  }

  /** One of the schema, one of the chart's own rules. */
  @Test
  void helm3NamesMistakes() throws Exception {
    List<Row> rows = mistakes().toList();
    names(Tool.helm3(home), rows.getFirst());
    names(Tool.helm3(home), rows.get(3));
  }

  /** What people get who install a package, not a folder. */
  @Test
  void aPackageHasEverything() throws Exception {
    Tool helm = Tool.helm(home);
    helm.run("package", CHART, "--destination", home.toString()).passed();
    Path archive;
    try (var files = Files.list(home)) {
      archive = files.filter(file -> file.toString().endsWith(".tgz")).findFirst().orElseThrow();
    }
    assertThat(helm.run("template", "exaplane", archive.toString()).passed()).isEqualTo(template());
  }

  private String template(String... options) throws IOException, InterruptedException {
    List<String> words =
        Stream.concat(Stream.of("template", "exaplane", CHART), Stream.of(options)).toList();
    return Tool.helm(home).run(words).passed();
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).toList();
  }
}
