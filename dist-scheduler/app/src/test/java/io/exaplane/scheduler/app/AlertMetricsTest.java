// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alerts find the metrics that they rest on, with these labels alone. */
class AlertMetricsTest {
  private static final Path KNOWN =
      Path.of("../../tuning/src/main/resources/io/exaplane/tuning/alerts/metrics.json");

  @Test
  void areTheOnesThatAlertsKnow() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new Status(registry);
    Map<String, String> shown = new HashMap<>();
    registry.forEachMeter(meter -> shown.put(series(meter), labels(meter)));
    JsonNode known = new ObjectMapper().readTree(KNOWN.toFile()).path("scheduler");
    assertThat(known).hasSizeGreaterThan(5);
    for (Map.Entry<String, JsonNode> metric : known.properties()) {
      assertThat(shown).containsEntry(metric.getKey(), metric.getValue().path("labels").asText());
    }
  }

  /** As Prometheus shows it. */
  private static String series(Meter meter) {
    String name = meter.getId().getName();
    if (meter instanceof Timer) {
      return name + "_seconds";
    }
    return meter.getId().getType() == Meter.Type.COUNTER ? name + "_total" : name;
  }

  private static String labels(Meter meter) {
    return String.join(" ", meter.getId().getTags().stream().map(Tag::getKey).sorted().toList());
  }
}
