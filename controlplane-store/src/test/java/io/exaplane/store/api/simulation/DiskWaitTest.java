// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write that does not return shows, and does not when it has returned (7., line 13). */
@Timeout(60)
class DiskWaitTest {
  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);

  @Test
  void aWriteThatDoesNotReturnShows() throws Exception {
    try (SimulatedStore store =
        new SimulatedStore(storage, KeyClasses.plain(), () -> 1_000_000, random)) {
      CountDownLatch reached = new CountDownLatch(1);
      CountDownLatch goesOn = new CountDownLatch(1);
      storage.beforeForce(
          () -> {
            reached.countDown();
            await(goesOn);
          });
      put(store);
      assertThat(store.diskWaitNanos()).as("nothing is asked of it").isZero();
      Thread writer = Thread.ofPlatform().start(store::turn);
      reached.await();
      long first = store.diskWaitNanos();
      while (store.diskWaitNanos() <= first) {
        Thread.onSpinWait();
      }
      goesOn.countDown();
      writer.join();
      assertThat(store.diskWaitNanos()).as("it has answered").isZero();
    }
  }

  private static void put(SimulatedStore store) {
    Op op = new Op(Op.Kind.PUT, List.of("/a"), "", "v", 0, 0, 0);
    SimulatedCall call = new SimulatedCall(store.loop(0), _ -> {}, e -> op.error = e);
    byte[] request = op.encode();
    store.method(op.kind.path).open(call, store.lane(0)).message(request, 0, request.length);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
