// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.tuning.dashboards.Dashboard;
import io.exaplane.tuning.dashboards.Dashboards;
import io.exaplane.tuning.version.MinorVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DashboardsCommandTest {
  private static final Path DASHBOARDS = Path.of("../config/dashboards");
  private static final Path MONITORS = Path.of("../config/monitors");
  private static final Path PAGE = Path.of("../docs/dashboards.md");

  @TempDir private Path folder;

  /** Write them again by {@code ./exa generate}. */
  @Test
  void committedFilesAreThoseOfTheModel() throws IOException {
    Path into = Boolean.getBoolean("exa.generate") ? DASHBOARDS : folder;
    Files.createDirectories(into);
    run("dashboards", "--folder", into.toString());
    Set<String> names = names(into);
    assertThat(names).hasSameSizeAs(dashboards());
    assertThat(names(DASHBOARDS)).as("run './exa generate'").isEqualTo(names);
    for (String name : names) {
      assertThat(DASHBOARDS.resolve(name))
          .as("run './exa generate'")
          .hasSameTextualContentAs(into.resolve(name));
    }
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** Write them again by {@code ./exa generate}. */
  @ParameterizedTest
  @CsvSource({
    "--output=yaml, podmonitors.yaml",
    "--services, servicemonitors.yaml",
    "--output=scrape, scrape.yaml"
  })
  void committedMonitorsAreThoseOfTheModel(String option, String file) throws IOException {
    Path committed = MONITORS.resolve(file);
    String generated = run("monitors", option);
    if (Boolean.getBoolean("exa.generate")) {
      Files.createDirectories(MONITORS);
      Files.writeString(committed, generated);
    }
    assertThat(committed).as("run './exa generate'").hasContent(generated);
  }

  /** People copy what a page shows. */
  @Test
  void thePageShowsTheConfigurationOfAControlPlane() throws IOException {
    YAMLMapper yaml = new YAMLMapper();
    JsonNode jobs =
        yaml.readTree(run("monitors", "--output=scrape", "--control-plane=default/demo"))
            .path("scrape_configs");
    JsonNode shown =
        Pattern.compile("(?ms)^```yaml\n(.*?)^```")
            .matcher(Files.readString(PAGE))
            .results()
            .map(block -> read(yaml, block.group(1)))
            .filter(block -> block.has("scrape_configs"))
            .findFirst()
            .orElseThrow()
            .path("scrape_configs");
    assertThat(jobs).hasSize(6);
    assertThat(shown).hasSize(1);
    assertThat(jobs).contains(shown.get(0));
  }

  private static JsonNode read(YAMLMapper yaml, String text) {
    try {
      return yaml.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void thePageNamesEachDashboard() throws IOException {
    Set<String> named =
        Pattern.compile("(?m)^\\| `([a-z-]+)` \\|")
            .matcher(Files.readString(PAGE))
            .results()
            .map(row -> row.group(1))
            // The other table has the jobs.
            .filter(name -> !name.startsWith("exaplane-"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named)
        .isEqualTo(dashboards().stream().map(Dashboard::name).collect(Collectors.toSet()));
  }

  @Test
  void aTableNamesEachDashboard() {
    assertThat(run("dashboards"))
        .hasLineCount(dashboards().size() + 1)
        .contains("control-plane", "SHOWS");
  }

  @Test
  void oneIsADocumentThatGrafanaImports() throws IOException {
    JsonNode fleet = new JsonMapper().readTree(run("dashboards", "fleet", "--output=json"));
    assertThat(fleet.path("uid").asText()).isEqualTo("exaplane-fleet");
    assertThat(fleet.path("panels")).isNotEmpty();
  }

  @Test
  void configMapsHaveThemForGrafanasSidecar() throws IOException {
    JsonNode list = new YAMLMapper().readTree(run("dashboards", "--output=yaml"));
    assertThat(list.path("items")).hasSameSizeAs(dashboards());
    for (JsonNode map : list.path("items")) {
      assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
      String file = map.path("data").fieldNames().next();
      JsonNode dashboard = new JsonMapper().readTree(map.path("data").path(file).asText());
      assertThat(file).isEqualTo(dashboard.path("uid").asText() + ".json");
    }
  }

  @Test
  void monitorsOfAControlPlaneAreBesideItsToken() throws IOException {
    JsonNode list = new YAMLMapper().readTree(run("monitors", "--control-plane=team-a/demo"));
    assertThat(list.path("items")).hasSize(6);
    JsonNode server = list.at("/items/3");
    assertThat(server.at("/metadata/name").asText()).isEqualTo("demo-exaplane-apiserver");
    assertThat(server.at("/metadata/namespace").asText()).isEqualTo("team-a");
    JsonNode endpoint = server.at("/spec/podMetricsEndpoints/0");
    assertThat(endpoint.at("/authorization/credentials/name").asText())
        .isEqualTo("demo-prometheus");
    assertThat(endpoint.at("/relabelings/0/replacement").asText()).isEqualTo("exaplane-apiserver");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dashboards --kubernetes=1.33|--kubernetes: '1.33' must be 1.34 to 1.37",
        "dashboards --kubernetes=new|--kubernetes: 'new' is not a version",
        "dashboards fleets|NAME: 'fleets' is not a dashboard; name one of fleet, control-plane",
        "dashboards -o json|NAME: '' must be one dashboard with -o json",
        "dashboards --folder nowhere|--folder: 'nowhere' must be a folder; create the folder first",
        "monitors --interval 30|--interval: '30' must be a number with ms, s or m; write 30s",
        "monitors --services -o scrape|--services: 'true' must be false with -o scrape",
        "monitors --namespace A|--namespace: 'A' must be the name of a namespace",
        "monitors --operator-namespace A|--operator-namespace: 'A' must be the name of a namespace",
        "monitors --control-plane demo|--control-plane: 'demo' must be the namespace and the name"
      })
  void aWrongInputIsNamed(String command, String error) {
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(new PrintWriter(new StringWriter()), new PrintWriter(err), command.split(" "));
    assertThat(code).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(error);
  }

  private static List<Dashboard> dashboards() {
    return Dashboards.of(MinorVersion.of(37));
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertThat(Exactl.run(new PrintWriter(out), new PrintWriter(err), arguments))
        .as(Arrays.toString(arguments) + err)
        .isZero();
    return out.toString();
  }
}
