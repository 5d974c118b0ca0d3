// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store.stress;

import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.memory.EpochReclaimer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A long read pins the oldest revision that its view shows, within its epoch, while the writer
 * compacts and raises the floor of cleaning, as the cleaner does. The results: the pinned revision
 * and the floor, which must not be above it.
 */
@JCStressTest
@Outcome(id = "5, 5", expect = Expect.ACCEPTABLE, desc = "the pin holds the floor")
@Outcome(id = "5, 0", expect = Expect.ACCEPTABLE, desc = "the writer waits for the reader")
@Outcome(id = "9, 9", expect = Expect.ACCEPTABLE, desc = "the read began after the compaction")
@Outcome(id = "9, 0", expect = Expect.ACCEPTABLE, desc = "after it; the writer waits")
@Outcome(expect = Expect.FORBIDDEN, desc = "what is pinned may be cleaned")
@State
public class PinStress {
  private final EpochReclaimer reclaimer = new EpochReclaimer(1);
  private final EpochReclaimer.Reader reader = reclaimer.newReader();
  private final RevisionPins pins = new RevisionPins();
  private volatile long compacted = 5;
  private long shownToAll;

  @Actor
  public void writer(JJ_Result result) {
    compacted = 9;
    reclaimer.afterReaders(() -> shownToAll = 9);
    reclaimer.reclaim();
    result.r2 = Math.min(shownToAll, pins.oldest());
  }

  @Actor
  public void reader(JJ_Result result) {
    reader.enter();
    long oldest = compacted;
    pins.pin(oldest);
    result.r1 = oldest;
    reader.leave();
  }
}
