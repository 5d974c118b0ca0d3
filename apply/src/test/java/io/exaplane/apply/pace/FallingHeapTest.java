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
    FallingHeap heap = new FallingHeap(load(700, 5), 0);
    heap.looked(load(700, 6), 90_000);
    assertThat(heap.mayFall(90_000)).as("pools last until the second collection").isTrue();
    heap.looked(load(699, 7), 100_000);
    assertThat(heap.mayFall(100_000)).isFalse();
  }

  @Test
  void aBusyServerThatCollectsOftenHasAMinute() {
    FallingHeap heap = new FallingHeap(load(700, 5), 0);
    heap.looked(load(720, 50), 59_000);
    assertThat(heap.mayFall(59_000)).isTrue();
    assertThat(heap.mayFall(60_000)).isFalse();
  }

  @Test
  void eachFallBeginsAgainWithinTheBound() {
    FallingHeap heap = new FallingHeap(load(700, 5), 0);
    for (int at = 1; at < 30; at++) {
      heap.looked(load(700 - 10 * at, 5 + 3 * at), at * 10_000);
      assertThat(heap.mayFall(at * 10_000)).isTrue();
    }
    assertThat(heap.mayFall(FallingHeap.MOST_MS)).isFalse();
  }

  @Test
  void anotherServerAndOneThatTellsNothingEndNothing() {
    FallingHeap heap = new FallingHeap(load(700, 500), 0);
    heap.looked(load(700, 502), 30_000);
    heap.looked(ServerLoad.UNKNOWN, 40_000);
    heap.looked(load(700, 3), 50_000);
    assertThat(heap.mayFall(70_000)).as("20 s since the other answered").isTrue();
    heap.looked(load(700, 5), 110_000);
    assertThat(heap.mayFall(110_000)).isFalse();
  }
}
