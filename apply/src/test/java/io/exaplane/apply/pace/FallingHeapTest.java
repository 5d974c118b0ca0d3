// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.port.ServerLoad;
import org.junit.jupiter.api.Test;

class FallingHeapTest {
  private static ServerLoad load(double live, double collections) {
    return new ServerLoad(live, live, 1_000, 1, 600, 0, 0, collections);
  }

  @Test
  void twoCollectionsAndAMinuteWithoutAFallEndIt() {
    FallingHeap heap = new FallingHeap(load(700, 5), 190, 0);
    heap.looked(load(700, 6), 190, 90_000);
    assertThat(heap.mayFall(90_000)).as("pools last until the second collection").isTrue();
    heap.looked(load(699, 7), 190, 100_000);
    assertThat(heap.mayFall(100_000)).isFalse();
  }

  @Test
  void aBusyServerThatCollectsOftenHasAMinute() {
    FallingHeap heap = new FallingHeap(load(700, 5), 190, 0);
    heap.looked(load(720, 50), 190, 59_000);
    assertThat(heap.mayFall(59_000)).isTrue();
    assertThat(heap.mayFall(60_000)).isFalse();
  }

  @Test
  void eachFallBeginsAgainWithinTheBound() {
    FallingHeap heap = new FallingHeap(load(700, 5), 190, 0);
    for (int at = 1; at < 30; at++) {
      heap.looked(load(700 - 10 * at, 5 + 3 * at), 190, at * 10_000);
      assertThat(heap.mayFall(at * 10_000)).isTrue();
    }
    assertThat(heap.mayFall(FallingHeap.MOST_MS)).isFalse();
  }

  @Test
  void anotherServerAndOneThatTellsNothingEndNothing() {
    FallingHeap heap = new FallingHeap(load(700, 500), 190, 0);
    heap.looked(load(700, 502), 190, 30_000);
    heap.looked(ServerLoad.UNKNOWN, 190, 40_000);
    heap.looked(load(700, 3), 190, 50_000);
    assertThat(heap.mayFall(70_000)).as("20 s since the other answered").isTrue();
    heap.looked(load(700, 5), 190, 110_000);
    assertThat(heap.mayFall(110_000)).isFalse();
  }

  /** After a kill, a busy server serves what exists, and its heap grows meanwhile. */
  @Test
  void aServerThatServesMoreDefinitionsIsNotCalm() {
    FallingHeap heap = new FallingHeap(load(1_400, 5), 174, 0);
    for (int at = 1; at < 10; at++) {
      heap.looked(load(1_400 + 90 * at, 5 + 3 * at), 174 - 4 * at, at * 30_000L);
      assertThat(heap.mayFall(at * 30_000L)).as("look %d", at).isTrue();
    }
    heap.looked(load(2_300, 60), 138, 290_000);
    assertThat(heap.mayFall(290_000)).as("20 s since the last one").isTrue();
    assertThat(heap.mayFall(FallingHeap.MOST_MS)).isFalse();
  }
}
