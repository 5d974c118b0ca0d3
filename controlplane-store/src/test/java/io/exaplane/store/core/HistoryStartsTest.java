// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryStartsTest {
  private static final PrefixRule LEASES = rule("/registry/leases/", 60_000);
  private static final PrefixRule NODES = rule("/registry/leases/kube-node-lease/", 10_000);
  private static final PrefixRule EVENTS = rule("/registry/events/", 60_000);
  private static final KeyClasses CLASSES =
      new KeyClasses(List.of(LEASES, NODES, EVENTS), Durability.FSYNC);

  private static PrefixRule rule(String prefix, long historyMs) {
    return new PrefixRule(prefix, 0, Durability.FSYNC, historyMs);
  }

  private static HistoryStarts starts() {
    return HistoryStarts.none(CLASSES)
        .with(CLASSES.window(LEASES), 100)
        .with(CLASSES.window(NODES), 200);
  }

  @ParameterizedTest
  @CsvSource({
    "/registry/pods/, /registry/pods0, -1",
    "/registry/pods/a, '', -1",
    "/registry/leases/a, '', 100",
    "/registry/leases/kube-node-lease/a, '', 200",
    "/registry/leases/kube-node-lease/, /registry/leases/kube-node-lease0, 200",
    "/registry/leases/kube-system/, /registry/leases/kube-system0, 100",
    "/registry/leases/, /registry/leases0, 200",
    "/registry/events/, /registry/events0, 100",
    "/registry/, /registry0, 200",
    "/registry/f, /registry/leases/, -1",
    "/registry/f, /registry/leases/a, 100",
    "/registry/leases0, /z, -1",
  })
  void aRangeHasThatOfWhatItTouches(String start, String end, long expected) {
    KeyRange range = KeyRange.of(start.getBytes(UTF_8), end.getBytes(UTF_8));
    assertThat(starts().of(range)).isEqualTo(expected);
  }

  @Test
  void everythingHasTheNewest() {
    assertThat(starts().of(KeyRange.all())).isEqualTo(200);
    assertThat(starts().newest()).isEqualTo(200);
  }

  @Test
  void theyNeverGoBack() {
    assertThat(starts().with(CLASSES.window(LEASES), 50).of(CLASSES.window(LEASES))).isEqualTo(100);
  }

  @Test
  void rulesOfTheSameLengthShareAWindow() {
    assertThat(CLASSES.window(EVENTS)).isEqualTo(CLASSES.window(LEASES));
    assertThat(CLASSES.windows()).isEqualTo(3);
  }

  @Test
  void afterARestartTheyAreThoseOfTheSamePrefixes() {
    KeyClasses longer =
        new KeyClasses(List.of(rule("/registry/leases/", 90_000), NODES, EVENTS), Durability.FSYNC);
    HistoryStarts restored = HistoryStarts.none(longer).restored(starts().byPrefix());
    assertThat(restored.byPrefix()).isEqualTo(starts().byPrefix());
  }

  @Test
  void withOtherRulesTheyCantBeKept() {
    KeyClasses without = new KeyClasses(List.of(LEASES, NODES), Durability.FSYNC);
    assertThat(HistoryStarts.none(without).restored(starts().byPrefix())).isNull();
    KeyClasses unlimited =
        new KeyClasses(List.of(LEASES, NODES, rule("/registry/events/", 0)), Durability.FSYNC);
    assertThat(HistoryStarts.none(unlimited).restored(starts().byPrefix())).isNull();
  }
}
