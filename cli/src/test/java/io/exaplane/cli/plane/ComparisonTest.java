// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.cli.plane.Comparison.Difference;
import io.exaplane.cli.plane.Comparison.Figure;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Instant MONDAY = Instant.parse("2026-11-23T08:00:00Z");
  private static final Instant TUESDAY = Instant.parse("2026-11-24T08:00:00Z");

  private static JsonNode yaml(String text) {
    try {
      return new YAMLMapper().readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static ReportFile report(Instant at, String events, String... objects) {
    Map<String, JsonNode> all = new TreeMap<>();
    for (int i = 0; i < objects.length; i += 2) {
      all.put(objects[i], yaml(objects[i + 1]));
    }
    return new ReportFile(at, all, events);
  }

  private static String shard(long bytes, long revision) {
    return "{spec: {memory: {quota: 1Gi}}, status: {bytes: %d, revision: %d, observedGeneration: %d}}"
        .formatted(bytes, revision, revision);
  }

  @Test
  void figuresHaveTheirChangeAndRate() {
    Comparison compared =
        Comparison.of(
            report(MONDAY, "", "storeshards/demo-default", shard(1_000, 100)),
            report(TUESDAY, "", "storeshards/demo-default", shard(1_000, 2_500)));
    assertThat(compared.hours()).isEqualTo(24);
    assertThat(compared.figures())
        .containsExactly(
            new Figure("storeshards/demo-default", "status.revision", 100, 2_500, 2_400, 100.0));
    assertThat(compared.settings()).isEmpty();
    assertThat(compared.state()).isEmpty();
  }

  @Test
  void settingsAreFoundByTheNamesOfListsElements() {
    String before =
        "{spec: {version: 1.36.3, apiServer: {extraArgs: [{name: a, value: x}, {name: b, value: y}]}}}";
    String after =
        "{spec: {version: 1.37.2, apiServer: {extraArgs: [{name: b, value: z}, {name: a, value: x}]}}}";
    Comparison compared =
        Comparison.of(
            report(MONDAY, "", "controlplanes/demo", before),
            report(TUESDAY, "", "controlplanes/demo", after));
    assertThat(compared.settings())
        .containsExactly(
            new Difference("controlplanes/demo", "spec.apiServer.extraArgs[b].value", "y", "z"),
            new Difference("controlplanes/demo", "spec.version", "1.36.3", "1.37.2"));
  }

  @Test
  void conditionsAreStateAndTimesAreNone() {
    String condition =
        "{status: {conditions: [{type: Available, status: '%s', lastTransitionTime: '%s'}]}}";
    Comparison compared =
        Comparison.of(
            report(MONDAY, "", "controlplanes/demo", condition.formatted("True", MONDAY)),
            report(TUESDAY, "", "controlplanes/demo", condition.formatted("False", TUESDAY)));
    assertThat(compared.state())
        .containsExactly(
            new Difference(
                "controlplanes/demo", "status.conditions[Available].status", "True", "False"));
  }

  private static String pod(int restarts) {
    return ("{metadata: {labels: {app.kubernetes.io/component: apiserver}}, spec: {nodeName: n},"
            + " status: {containerStatuses: [{ready: true, restartCount: %d}]}}")
        .formatted(restarts);
  }

  /** Their names are others each day. */
  @Test
  void podsAreCountedByComponent() {
    Comparison compared =
        Comparison.of(
            report(MONDAY, "", "pods/demo-apiserver-1", pod(0)),
            report(TUESDAY, "", "pods/demo-apiserver-2", pod(3), "pods/demo-apiserver-3", pod(4)));
    assertThat(compared.figures())
        .containsExactly(
            new Figure("objects", "pods", 1, 2, 1, 1 / 24.0),
            new Figure("pods of apiserver", "pods", 1, 2, 1, 1 / 24.0),
            new Figure("pods of apiserver", "ready containers", 1, 2, 1, 1 / 24.0),
            new Figure("pods of apiserver", "restarts", 0, 7, 7, 7 / 24.0));
    assertThat(compared.onlyBefore()).isEmpty();
    assertThat(compared.onlyAfter()).isEmpty();
    assertThat(compared.settings()).isEmpty();
  }

  @Test
  void eventsAreCountedByReason() {
    String line = "2026-11-23T07:00:00Z Warning Pod/p Failed: pull failed\n";
    Comparison compared =
        Comparison.of(report(MONDAY, line, "a/b", "{}"), report(MONDAY, line + line, "a/b", "{}"));
    assertThat(compared.figures())
        .containsExactly(new Figure("events", "Warning Failed", 1, 2, 1, null));
  }

  @Test
  void anObjectOfOneReportIsNamedAsAWhole() {
    Comparison compared =
        Comparison.of(
            report(MONDAY, "", "nodepools/old", "{spec: {a: 1}, status: {b: c}}"),
            report(TUESDAY, "", "nodepools/new", "{spec: {a: 1}, status: {b: c}}"));
    assertThat(compared.onlyBefore()).containsExactly("nodepools/old");
    assertThat(compared.onlyAfter()).containsExactly("nodepools/new");
    assertThat(compared.settings()).isEmpty();
    assertThat(compared.state()).isEmpty();
  }
}
