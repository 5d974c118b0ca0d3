// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.alerts.Alert.Severity;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertRulesTest {
  private static final String STORE_LISTS = "ExaplaneStoreListsHeavy";

  /** It throws if a metric or a label does not exist. */
  @ParameterizedTest
  @ValueSource(ints = {34, 35, 36, 37})
  void restOnMetricsOfTheirVersion(int minor) {
    assertThat(all(minor)).hasSizeGreaterThan(54);
  }

  @Test
  void selectWhatOnlyANewerVersionTells() {
    assertThat(named(36, STORE_LISTS).expression()).doesNotContain("storage=");
    assertThat(named(37, STORE_LISTS).expression()).contains("{storage=\"etcd\"}");
  }

  @Test
  void refuseAVersionWhoseMetricsAreUnknown() {
    assertThatThrownBy(() -> all(33))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("--kubernetes: '1.33' must be 1.34 to 1.37");
    assertThatThrownBy(() -> all(38)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void sayWhatIsBrokenAndWhatToDo() {
    assertThat(all(37))
        .allSatisfy(
            alert -> {
              assertThat(alert.name()).startsWith("Exaplane");
              assertThat(alert.summary()).endsWith(".").hasSizeBetween(40, 260);
              assertThat(alert.action()).endsWith(".").hasSizeGreaterThan(20);
              assertThat(alert.basis()).hasSizeGreaterThan(10);
            });
  }

  /** Whoever is woken each night stops reading. */
  @Test
  void wakePeopleForOutagesAlone() {
    List<Alert> all = all(37);
    assertThat(all).filteredOn(a -> a.severity() == Severity.CRITICAL).hasSizeLessThan(35);
    assertThat(all)
        .filteredOn(alert -> alert.severity() == Severity.CRITICAL)
        .extracting(Alert::name)
        .contains(
            "ExaplaneStoreDown",
            "ExaplaneStoreDataLost",
            "ExaplaneStoreReadOnly",
            "ExaplaneLeaseRenewalLag",
            "ExaplaneMeltdownGuardActive",
            "ExaplaneAgentsGone",
            "ExaplaneAgentRestartWave");
  }

  @Test
  void readNamesAndLabelsOfAnExpression() {
    Expression expression =
        Expression.parse(
            "sum by (a, b) (rate(x_total{c=~\"by (q) y\",d!=\"\"}[5m] offset 1h)) / 1e5 > 0.5"
                + " unless on (e) (time() - z{f=\"1\"} < 3) and w:r5m == 2 or u");
    assertThat(expression.metrics())
        .isEqualTo(
            Map.of(
                "x_total", Set.of("c", "d"),
                "z", Set.of("f"),
                "w:r5m", Set.of(),
                "u", Set.of()));
    assertThat(expression.groupings()).containsExactly("a", "b", "e");
  }

  @Test
  void knowTheSeriesOfAHistogram() {
    Metrics metrics = Metrics.of(MinorVersion.of(37));
    assertThat(metrics.has("etcd_request_duration_seconds_bucket", "le")).isTrue();
    assertThat(metrics.has("etcd_request_duration_seconds_count", "operation")).isTrue();
    assertThat(metrics.has("etcd_requests_total", "le")).isFalse();
    assertThatThrownBy(() -> metrics.mustHave("R", "etcd_request_duration_seconds"))
        .hasMessage("R: there is no metric etcd_request_duration_seconds beside Kubernetes 1.37");
    assertThatThrownBy(() -> metrics.mustHave("R", "etcd_requests_total", "type"))
        .hasMessage("R: the metric etcd_requests_total of Kubernetes 1.37 has no label type");
    assertThatThrownBy(
            () ->
                Metrics.of(MinorVersion.of(36))
                    .mustHave("R", "apiserver_storage_list_total", "storage"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void areGivenWithALinkToTheirRunbook() {
    Map<String, Object> document =
        RulesDocument.object(groups(37), "https://wiki.example.org/runbooks/");
    assertThat(document)
        .containsEntry("apiVersion", "monitoring.coreos.com/v1")
        .containsEntry("kind", "PrometheusRule");
    assertThat(document.get("spec").toString())
        .contains("runbook_url=https://wiki.example.org/runbooks/stores.md#exaplanestoredown")
        .contains("labels={severity=critical}");
  }

  static List<AlertGroup> groups(int minor) {
    return AlertRules.of(AlertInputs.of(MinorVersion.of(minor)));
  }

  private static List<Alert> all(int minor) {
    return groups(minor).stream().flatMap(group -> group.alerts().stream()).toList();
  }

  private static Alert named(int minor, String name) {
    return all(minor).stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
  }
}
