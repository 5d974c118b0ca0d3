// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.engine.Counters;
import io.exaplane.operator.metrics.AddonMetrics.Stage;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AddonMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AddonMetrics metrics = new AddonMetrics(registry);

  /** Each number of an engine has its own metric, which grows by what is new. */
  @ParameterizedTest
  @CsvSource({
    "avoided, exaplane.addon.applies.avoided",
    "refused, exaplane.addon.applies.refused",
    "conflicts, exaplane.addon.conflicts",
    "contested, exaplane.addon.contested",
    "throttled, exaplane.addon.throttled",
    "deletions, exaplane.addon.deletions",
    "lists, exaplane.addon.lists",
    "events, exaplane.addon.watch.events",
    "watches, exaplane.addon.watches",
    "discoveries, exaplane.addon.discoveries",
    "saves, exaplane.addon.saves",
    "bytes, exaplane.addon.read.bytes"
  })
  void growByWhatAnEngineDidSinceTheLastLook(String number, String metric) throws Exception {
    Counters first = counters(number, 3);
    metrics.add(Optional.empty(), first);
    metrics.add(Optional.of(first), counters(number, 8));
    assertThat(registry.get(metric).counter().count()).isEqualTo(8);
    assertThat(sum()).isEqualTo(8);
  }

  @Test
  void countTheEnginesOfAllControlPlanesTogether() throws Exception {
    metrics.add(Optional.empty(), counters("contested", 2));
    metrics.add(Optional.empty(), counters("contested", 5));
    assertThat(registry.get("exaplane.addon.contested").counter().count()).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void eachStageHasItsTime(Stage stage) {
    metrics.end(stage, metrics.begin());
    for (Stage one : Stage.values()) {
      Timer timer =
          registry
              .get("exaplane.addon.stage")
              .tag("stage", one.name().toLowerCase(Locale.ROOT))
              .timer();
      assertThat(timer.count()).as("%s", one).isEqualTo(one == stage ? 1 : 0);
    }
  }

  private double sum() {
    return registry.getMeters().stream()
        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
        .sum();
  }

  /** The engine alone writes its numbers. */
  private static Counters counters(String number, long value) throws Exception {
    Counters counters = new Counters();
    Field field = Counters.class.getDeclaredField(number);
    field.setAccessible(true);
    field.setLong(counters, value);
    return counters;
  }
}
