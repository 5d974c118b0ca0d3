// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a command that stays gives memory back. */
class SmallHeapTest {
  private static final long MIB = 1 << 20;

  private long used = 10 * MIB;
  private long alive = 10 * MIB;
  private int collections;
  private final SmallHeap heap =
      new SmallHeap(
          () -> used,
          () -> {
            collections++;
            used = alive;
          });

  private int after(long bytes) {
    used = bytes;
    heap.look();
    return collections;
  }

  @Test
  void whatComesAndGoesIsNoReason() {
    assertThat(after(10 * MIB + SmallHeap.LEAST)).isZero();
    assertThat(after(10 * MIB)).isZero();
    assertThat(after(11 * MIB + SmallHeap.LEAST)).isOne();
    assertThat(used).isEqualTo(alive);
  }

  /** The work is in proportion to what the objects take. */
  @Test
  void aLargeHeapMayGrowByAPart() {
    alive = 400 * MIB;
    assertThat(after(450 * MIB)).isOne();
    assertThat(after(400 * MIB + SmallHeap.LEAST + MIB)).isOne();
    assertThat(after(501 * MIB)).isEqualTo(2);
  }

  /** The collector has its own reasons, after which growth counts from there. */
  @Test
  void aCollectionByItselfIsABeginning() {
    alive = 200 * MIB;
    assertThat(after(300 * MIB)).isOne();
    assertThat(after(50 * MIB)).isOne();
    alive = 60 * MIB;
    assertThat(after(80 * MIB)).isEqualTo(2);
  }

  @Test
  void theThreadEndsWithTheCommand() throws InterruptedException {
    SmallHeap own = SmallHeap.begun();
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(one -> one.getName().equals(SmallHeap.THREAD))
            .findFirst()
            .orElseThrow();
    assertThat(thread.isDaemon()).isTrue();
    own.close();
    thread.join(60_000);
    assertThat(thread.isAlive()).isFalse();
  }
}
