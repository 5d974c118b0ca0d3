// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EpochReclaimerTest {
  private static final int ROUNDS = 200_000;

  private final EpochReclaimer reclaimer = new EpochReclaimer(1);
  private final AtomicReference<Thing> reachable = new AtomicReference<>(new Thing());
  private int freed;
  private volatile boolean over;

  /** Read and written without any order, so that only the epoch keeps one from the other. */
  private static final class Thing {
    final AtomicReference<Boolean> free = new AtomicReference<>(false);
  }

  /** A thing that is replaced over and over, and freed at once if the reader is outside. */
  @Test
  @Timeout(60)
  void nothingIsFreedWhileSomebodyMayLookAtIt() throws Exception {
    EpochReclaimer.Reader reader = reclaimer.newReader();
    CompletableFuture<Integer> seen = CompletableFuture.supplyAsync(() -> read(reader));
    for (int i = 0; i < ROUNDS && !seen.isDone(); i++) {
      Thing old = reachable.getPlain();
      reachable.setRelease(new Thing());
      reclaimer.afterReaders(
          () -> {
            old.free.setOpaque(true);
            freed++;
          });
      reclaimer.reclaim();
    }
    over = true;
    assertThat(seen.get(30, TimeUnit.SECONDS)).as("freed while it was looked at").isZero();
    reclaimer.reclaim();
    assertThat(freed).isEqualTo(ROUNDS);
  }

  private int read(EpochReclaimer.Reader reader) {
    int early = 0;
    while (!over && early == 0) {
      reader.enter();
      Thing thing = reachable.getAcquire();
      for (int look = 0; look < 20; look++) {
        early += thing.free.getOpaque() ? 1 : 0;
      }
      reader.leave();
    }
    return early;
  }
}
