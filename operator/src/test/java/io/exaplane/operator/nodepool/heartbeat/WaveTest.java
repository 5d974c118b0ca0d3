// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.heartbeat.Wave.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fast a change of heartbeats comes to nodes, and what holds it. */
class WaveTest {
  private static final Instant START = Instant.parse("2026-11-28T00:00:00Z");
  private static final Heartbeats OLD = new Heartbeats(40, 10, 300);
  private static final Heartbeats NEW = new Heartbeats(80, 10, 300);

  private static Order<Heartbeats> order(int nodes, int others, int failed, boolean frozen) {
    return new Order<>(NEW, 10, nodes, others, failed, frozen);
  }

  @Test
  void withoutNodesToChangeAllIsReleasedAtOnce() {
    Wave<Heartbeats> wave = Wave.next(Optional.empty(), order(0, 0, 0, false), START);
    assertThat(wave).isEqualTo(new Wave<>(NEW, 100, START, 0));
    assertThat(Wave.next(Optional.of(wave), order(5, 5, 0, false), START.plusSeconds(600)))
        .as("the same once more changes nothing")
        .isEqualTo(wave);
  }

  @Test
  void aStepComesEachMinuteAndNotBefore() {
    Wave<Heartbeats> old = new Wave<>(OLD, 100, START, 0);
    Order<Heartbeats> order = order(100, 100, 0, false);
    Wave<Heartbeats> first = Wave.next(Optional.of(old), order, START);
    assertThat(first).isEqualTo(new Wave<>(NEW, 10, START, 0));
    assertThat(Wave.next(Optional.of(first), order, START.plusSeconds(59))).isEqualTo(first);
    Instant later = START.plusSeconds(60);
    assertThat(Wave.next(Optional.of(first), order, later))
        .isEqualTo(new Wave<>(NEW, 20, later, 0));
    assertThat(Wave.next(Optional.of(new Wave<>(NEW, 95, START, 0)), order, later).percent())
        .isEqualTo(100);
  }

  @Test
  void theGuardHoldsAndThenTheChangeGoesOn() {
    Wave<Heartbeats> first = Wave.next(Optional.empty(), order(100, 100, 0, true), START);
    assertThat(first.percent()).as("not even a first step").isZero();
    Order<Heartbeats> frozen = order(100, 100, 0, true);
    assertThat(Wave.next(Optional.of(first), frozen, START.plusSeconds(600))).isEqualTo(first);
    assertThat(first.hold(frozen)).get().asString().contains("meltdown guard");
    Order<Heartbeats> thawed = order(100, 100, 0, false);
    assertThat(Wave.next(Optional.of(first), thawed, START.plusSeconds(601)).percent())
        .isEqualTo(10);
  }

  @Test
  void nodesThatFailHoldAndThoseOfBeforeDoNot() {
    Wave<Heartbeats> wave = new Wave<>(NEW, 30, START, 4);
    Instant later = START.plusSeconds(60);
    assertThat(Wave.next(Optional.of(wave), order(100, 70, 14, false), later).percent())
        .isEqualTo(40);
    Order<Heartbeats> bad = order(100, 70, 15, false);
    assertThat(Wave.next(Optional.of(wave), bad, later)).isEqualTo(wave);
    assertThat(wave.hold(bad)).get().asString().contains("15 nodes", "4 did", "at most 14");
  }

  @Test
  void anotherChangeBeginsAgain() {
    Wave<Heartbeats> wave = new Wave<>(OLD, 70, START, 0);
    assertThat(Wave.next(Optional.of(wave), order(100, 80, 2, false), START))
        .isEqualTo(new Wave<>(NEW, 10, START, 2));
  }

  /**
   * Hosts that look each minute, each at its own second, beside hosts that all take a change when
   * they see it: the naive way restarts every kubelet within a minute.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverMoreThanTheShareRestartsWithinAMinute(long seed) {
    Random random = new Random(seed);
    int nodes = 2_000;
    int[] phase = random.ints(nodes, 0, 60).toArray();
    boolean[] taken = new boolean[nodes];
    int[] restarts = new int[3600];
    int naive = nodes;
    Optional<Wave<Heartbeats>> wave = Optional.of(new Wave<>(OLD, 100, START, 0));
    int held = 0;
    for (int second = 0; second < restarts.length; second++) {
      boolean isFrozen = second >= 300 && second < 600;
      int done = count(taken);
      wave =
          Optional.of(
              Wave.next(
                  wave,
                  new Order<>(NEW, 10, nodes, nodes - done, 0, isFrozen),
                  START.plus(Duration.ofSeconds(second))));
      for (int node = 0; node < nodes; node++) {
        if (!taken[node]
            && second % 60 == phase[node]
            && number("node-" + node) < wave.get().percent()) {
          taken[node] = true;
          restarts[second]++;
        }
      }
      held += isFrozen && second >= 360 ? restarts[second] : 0;
    }
    assertThat(count(taken)).isEqualTo(nodes);
    assertThat(held).as("while the guard holds, after the last step's minute").isZero();
    int most = 0;
    for (int second = 60; second < restarts.length; second++) {
      int minute = 0;
      for (int each = second - 60; each < second; each++) {
        minute += restarts[each];
      }
      most = Math.max(most, minute);
    }
    // A tenth, and what chance adds: hosts choose by a number of their names.
    assertThat(most).isBetween(1, nodes / 10 + nodes / 50).isLessThan(naive / 5);
  }

  private static int count(boolean[] all) {
    int count = 0;
    for (boolean each : all) {
      count += each ? 1 : 0;
    }
    return count;
  }

  /** As good as the host's cksum. */
  private static int number(String name) {
    CRC32 crc = new CRC32();
    crc.update((name + " " + NEW.text()).getBytes());
    return (int) (crc.getValue() % 100);
  }
}
