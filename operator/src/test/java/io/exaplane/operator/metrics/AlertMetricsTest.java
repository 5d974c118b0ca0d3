// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.tuning.alerts.AlertRules;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts find the metrics that they rest on, with values that are true. */
@SuppressWarnings("deprecation") // The registry that Quarkus brings.
class AlertMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ControlPlaneMetrics planes =
      new ControlPlaneMetrics(registry, Clock.fixed(NOW, ZoneOffset.UTC));
  private final InformerMetrics informers = new InformerMetrics(registry);

  AlertMetricsTest() {
    new PoolMetrics(registry);
    new GuardMetrics(registry);
    new AddonMetrics(registry);
  }

  /** All of the operator that alerts know, and with these labels alone. */
  @Test
  void areTheOnesThatAlertsKnow() throws Exception {
    String page = registry.scrape();
    JsonNode known =
        new ObjectMapper()
            .readTree(AlertRules.class.getResourceAsStream("metrics.json"))
            .path("operator");
    assertThat(known).hasSizeGreaterThan(5);
    for (Map.Entry<String, JsonNode> metric : known.properties()) {
      Matcher sample = Pattern.compile("(?m)^" + metric.getKey() + "(\\{.*})? ").matcher(page);
      assertThat(sample.find()).as(metric.getKey()).isTrue();
      Set<String> labels = new TreeSet<>();
      Matcher label = LABEL.matcher(sample.group(1) == null ? "" : sample.group(1));
      while (label.find()) {
        labels.add(label.group(1));
      }
      assertThat(String.join(" ", labels))
          .as(metric.getKey())
          .isEqualTo(
              String.join(
                  " ",
                  new TreeSet<>(Set.of(metric.getValue().path("labels").asText().split(" ")))));
    }
  }

  @Test
  void tellWhatIsLeftOfCertificatesAndAuthorities() throws Exception {
    planes.observe(
        "a",
        status(
            """
            {"conditions":[],"pki":{"certificates":[
              {"name":"ca","notAfter":"2026-12-08T00:00:00Z"},
              {"name":"key"},
              {"name":"long","notAfter":"2027-02-26T00:00:00Z","renewAfter":"2027-01-27T00:00:00Z"},
              {"name":"late","notAfter":"2026-11-28T06:00:00Z","renewAfter":"2026-11-27T22:00:00Z"}
            ]}}
            """));
    assertThat(value("exaplane_ca_expiry_seconds")).isEqualTo(10 * 86_400);
    assertThat(value("exaplane_certificate_life_left")).isEqualTo(0.25);
    assertThat(value("exaplane_certificate_expiry_seconds")).isEqualTo(6 * 3_600);
    planes.forget("a");
    assertThat(value("exaplane_certificate_life_left")).isNaN();
  }

  @Test
  void countControlPlanesByTheReasonsThatAlertsTellApart() throws Exception {
    String stalled =
        """
        {"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"},
                       {"type":"Stalled","status":"True","reason":"ProgressDeadlineExceeded"}]}
        """;
    planes.observe("a", status(stalled));
    planes.observe("b", status(stalled));
    planes.observe("c", status("{\"conditions\":[]}"));
    assertThat(value("exaplane_controlplane_reasons{reason=\"ProgressDeadlineExceeded\"}"))
        .isEqualTo(2);
    assertThat(value("exaplane_controlplane_reasons{reason=\"FreezeRefused\"}")).isZero();
  }

  @Test
  void countStoresAndPoolsInTheCachesOfInformers() {
    informers.countShards(
        () -> Stream.of(shard("Critical", "False"), shard("BestEffort", "True"), shardWithout()));
    informers.countPools(() -> Stream.of(pool("False"), pool("False"), new NodePool()));
    String shards =
        "exaplane_storeshard_conditions{criticality=\"%s\",status=\"%s\",type=\"Ready\"}";
    assertThat(value(shards.formatted("Critical", "False"))).isEqualTo(1);
    assertThat(value(shards.formatted("Critical", "True"))).isZero();
    assertThat(value(shards.formatted("BestEffort", "True"))).isEqualTo(1);
    assertThat(value("exaplane_nodepool_conditions{status=\"False\",type=\"AddressesAssigned\"}"))
        .isEqualTo(2);
    informers.countShards(Stream::empty);
    assertThat(value(shards.formatted("Critical", "False"))).isZero();
  }

  private static StoreShard shardWithout() {
    return Serialization.unmarshal("spec: {criticality: Critical}", StoreShard.class);
  }

  private static StoreShard shard(String criticality, String ready) {
    return Serialization.unmarshal(
        """
        spec: {criticality: %s}
        status: {conditions: [{type: Ready, status: "%s", reason: AsExpected}]}
        """
            .formatted(criticality, ready),
        StoreShard.class);
  }

  private static NodePool pool(String assigned) {
    return Serialization.unmarshal(
        "status: {conditions: [{type: AddressesAssigned, status: \"%s\", reason: PrefixTaken}]}"
            .formatted(assigned),
        NodePool.class);
  }

  private static ControlPlaneStatus status(String json) throws Exception {
    return new ObjectMapper().readValue(json, ControlPlaneStatus.class);
  }

  private double value(String series) {
    return registry
        .scrape()
        .lines()
        .map(line -> line.replace(",}", "}"))
        .filter(line -> line.startsWith(series + " "))
        .map(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(series + " is not in " + registry.scrape()));
  }
}
