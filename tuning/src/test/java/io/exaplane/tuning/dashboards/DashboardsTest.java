// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardsTest {
  private static final int GRID = 24;

  /** It throws if a metric or a label does not exist. */
  @ParameterizedTest
  @ValueSource(ints = {34, 35, 36, 37})
  void restOnMetricsOfTheirVersion(int minor) {
    assertThat(of(minor))
        .extracting(Dashboard::name)
        .containsExactly("fleet", "control-plane", "store", "scheduler", "nodes", "addons", "run");
  }

  @Test
  void askForWhatOnlyANewerVersionTells() {
    assertThat(promql(36)).noneMatch(query -> query.contains("storage!="));
    assertThat(promql(36)).noneMatch(query -> query.contains("dispatch_duration"));
    assertThat(promql(37)).anyMatch(query -> query.contains("storage!=\"watchcache\""));
    assertThat(promql(37)).anyMatch(query -> query.contains("dispatch_duration"));
    assertThatThrownBy(() -> of(33)).isInstanceOf(InvalidInputException.class);
  }

  /** A query that sees other control planes shows their figures under this one's name. */
  @Test
  void askForTheControlPlaneThatWasChosen() {
    for (Dashboard dashboard : of(37)) {
      boolean isChosen = !dashboard.choices().isEmpty();
      for (Panel panel : dashboard.panels()) {
        boolean isOfFleet = panel.about().startsWith("Of the whole fleet");
        for (Panel.Query query : panel.queries()) {
          assertThat(query.promql().contains("namespace=\"$namespace\""))
              .as("%s: %s", dashboard.name(), panel.title())
              .isEqualTo(isChosen && !isOfFleet);
        }
      }
    }
  }

  /** A panel without values is either a mistake or says why. */
  @Test
  void fewPanelsMayBeEmpty() {
    List<Panel> all = of(37).stream().flatMap(each -> each.panels().stream()).toList();
    List<Panel> quiet = all.stream().filter(panel -> !panel.quiet().isEmpty()).toList();
    assertThat(all).hasSizeGreaterThan(90);
    assertThat(quiet).hasSizeLessThan(all.size() / 6);
    assertThat(quiet).allSatisfy(panel -> assertThat(panel.quiet()).endsWith("."));
  }

  @Test
  void sayWhatAPanelShows() {
    for (Dashboard dashboard : of(37)) {
      assertThat(dashboard.shows()).endsWith(".");
      for (Panel panel : dashboard.panels()) {
        assertThat(panel.about()).as(panel.title()).endsWith(".").hasSizeGreaterThan(15);
        assertThat(panel.title()).hasSizeBetween(3, 50);
      }
    }
  }

  @Test
  void aPanelWithoutALegendOrAQueryIsRefused() {
    Panel empty = Panel.graph("A", Unit.COUNT, "Something.");
    assertThatThrownBy(empty::mustBeWhole).hasMessageContaining("panel 'A': title, meaning");
    assertThatThrownBy(() -> empty.ask("up", " ").mustBeWhole())
        .isInstanceOf(IllegalStateException.class);
    assertThat(empty.ask("up", "a").mustBeWhole().queries()).hasSize(1);
  }

  /** Panels do not cover each other, and each has a unit, a title and queries. */
  @Test
  void areDocumentsThatGrafanaDraws() throws Exception {
    for (Dashboard dashboard : of(37)) {
      JsonNode document = new JsonMapper().readTree(Grafana.json(dashboard));
      Set<String> cells = new HashSet<>();
      Set<Integer> ids = new HashSet<>();
      for (JsonNode panel : document.path("panels")) {
        assertThat(panel.path("title").asText()).isNotBlank();
        assertThat(ids.add(panel.path("id").asInt())).isTrue();
        JsonNode place = panel.path("gridPos");
        assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(GRID);
        for (int x = 0; x < place.path("w").asInt(); x++) {
          for (int y = 0; y < place.path("h").asInt(); y++) {
            String cell = (place.path("x").asInt() + x) + "," + (place.path("y").asInt() + y);
            assertThat(cells.add(cell)).as(dashboard.name() + panel.path("title")).isTrue();
          }
        }
        if (!panel.path("type").asText().equals("row")) {
          assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
          assertThat(panel.path("description").asText()).isNotBlank();
          assertThat(panel.path("targets").findValuesAsText("expr")).isNotEmpty();
          assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
        }
      }
      assertThat(document.at("/templating/list").findValuesAsText("name"))
          .startsWith("datasource")
          .hasSize(dashboard.choices().size() + 1);
    }
  }

  /** Where a panel may be empty, the reason stands in the place of values. */
  @Test
  void theReasonOfAnEmptyPanelIsShown() {
    Panel panel = Panel.number("A", Unit.SHARE, "Something.").ask("up", "a").badAt(1).quiet("Off.");
    Dashboard dashboard =
        new Dashboard("x", "X", "Y.", List.of(), List.of(new Dashboard.Row("R", List.of(panel))));
    assertThat(Grafana.json(dashboard))
        .contains("\"noValue\" : \"Off.\"", "\"unit\" : \"percentunit\"", "\"color\" : \"red\"")
        .contains("\"uid\" : \"exaplane-x\"");
  }

  private static Stream<String> promql(int minor) {
    return of(minor).stream()
        .flatMap(dashboard -> dashboard.panels().stream())
        .flatMap(panel -> panel.queries().stream())
        .map(Panel.Query::promql);
  }

  private static List<Dashboard> of(int minor) {
    return Dashboards.of(MinorVersion.of(minor));
  }
}
