// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store.stress;

import io.exaplane.store.core.memory.EpochReclaimer;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The writer takes a thing out of reach and frees it; a reader that is inside looks at it. Only the
 * epoch orders the two. The results: what the reader found (0: nothing, 1: the thing, 2: the thing,
 * freed), and whether the writer freed it at once.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the reader came later")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the reader came later, and was inside")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the reader had left")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the writer waits")
@Outcome(expect = Expect.FORBIDDEN, desc = "freed while it was read")
@State
public class EpochStress {
  private static final class Thing {
    final AtomicReference<Boolean> freed = new AtomicReference<>(false);
  }

  private final EpochReclaimer reclaimer = new EpochReclaimer(1);
  private final EpochReclaimer.Reader reader = reclaimer.newReader();
  private final AtomicReference<Thing> reachable = new AtomicReference<>(new Thing());

  @Actor
  public void writer(II_Result result) {
    Thing thing = reachable.getPlain();
    reachable.setRelease(null);
    reclaimer.afterReaders(() -> thing.freed.setOpaque(true));
    reclaimer.reclaim();
    result.r2 = thing.freed.getPlain() ? 1 : 0;
  }

  @Actor
  public void reader(II_Result result) {
    reader.enter();
    Thing thing = reachable.getAcquire();
    result.r1 = thing == null ? 0 : thing.freed.getOpaque() ? 2 : 1;
    reader.leave();
  }
}
