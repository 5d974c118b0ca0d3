// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.error.StoreException;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LongReadsTest {
  private static final long PORTION_NANOS = 100_000;

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final List<String> turns = new ArrayList<>();
  private long shortRequests;
  private final LongReads reads;

  LongReadsTest() {
    loop.freezeTime();
    reads = new LongReads(loop.eventLoop(), Portion.USUAL, () -> shortRequests);
  }

  /** A read of so many portions, each of which takes its time. */
  private class Portions extends LongReads.Read {
    private final String name;
    private int left;
    private boolean isBroken;
    private final AtomicReference<StoreException> failure;

    Portions(String name, int portions) {
      this(name, portions, new AtomicReference<>());
    }

    private Portions(String name, int portions, AtomicReference<StoreException> failure) {
      super(failure::set);
      this.name = name;
      this.left = portions;
      this.failure = failure;
    }

    @Override
    protected boolean canGoOn() {
      return left > 0 && failure.get() == null;
    }

    @Override
    protected void goOn() {
      turns.add(name);
      if (isBroken) {
        throw new OutOfMemoryError("a fault in " + name);
      }
      left--;
      loop.advanceTimeBy(PORTION_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  /** The loop's turns until nothing is due. */
  private void run() {
    while (loop.hasPendingTasks()) {
      loop.runPendingTasks();
    }
  }

  @Test
  void goOnByPortionsInTurn() {
    reads.wake(new Portions("a", 3));
    reads.wake(new Portions("b", 2));
    run();
    assertThat(turns).containsExactly("a", "b", "a", "b", "a");
  }

  @Test
  void oneThatIsWokenTwiceHasOneTurn() {
    Portions a = new Portions("a", 2);
    Portions b = new Portions("b", 2);
    reads.wake(a);
    reads.wake(b);
    reads.wake(a);
    run();
    assertThat(turns).containsExactly("a", "b", "a", "b");
  }

  @Test
  void oneThatWaitedForItsClientGoesOnWhenItIsWoken() {
    Portions a = new Portions("a", 1);
    reads.wake(a);
    run();
    a.left = 2;
    run();
    assertThat(turns).as("nobody woke it").containsExactly("a");
    reads.wake(a);
    run();
    assertThat(turns).containsExactly("a", "a", "a");
  }

  @Test
  void aFailureEndsItsCallAndNoOther() {
    Portions broken = new Portions("broken", 2);
    broken.isBroken = true;
    reads.wake(broken);
    reads.wake(new Portions("a", 2));
    run();
    assertThat(turns).containsExactly("broken", "a", "a");
    assertThat(broken.failure.get()).hasMessageContaining("a fault in broken");
  }

  @Test
  void theLoopRestsAsLongAsAPortionTookWhileOthersAsk() {
    shortRequests++;
    reads.wake(new Portions("a", 3));
    run();
    assertThat(turns).hasSize(1);
    loop.advanceTimeBy(PORTION_NANOS - 1, TimeUnit.NANOSECONDS);
    run();
    assertThat(turns).as("it rests").hasSize(1);
    loop.advanceTimeBy(1, TimeUnit.NANOSECONDS);
    run();
    assertThat(turns).hasSize(2);
  }

  @Test
  void theLoopRestsNoMoreWhenOthersHaveNotAskedLately() {
    shortRequests++;
    reads.wake(new Portions("a", 10));
    run();
    assertThat(turns).hasSize(1);
    loop.advanceTimeBy(LongReads.LATELY_NANOS, TimeUnit.NANOSECONDS);
    run();
    assertThat(turns).hasSize(10);
  }
}
