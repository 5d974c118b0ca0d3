// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.store.stress;

import io.exaplane.store.stats.Histogram;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * One thread counts, another one reads: never more than was counted, and in the end all of it. The
 * results: the number that was read, and the sum in the end.
 */
@JCStressTest
@Outcome(
    id = {"0, 300", "1, 300", "2, 300"},
    expect = Expect.ACCEPTABLE,
    desc = "all or less")
@Outcome(expect = Expect.FORBIDDEN, desc = "made up, or lost")
@State
public class TimesStress {
  private final Histogram times = new Histogram();

  @Actor
  public void counter() {
    times.record(100);
    times.record(200);
  }

  @Actor
  public void reader(JJ_Result result) {
    result.r1 = times.times().counts()[0];
  }

  @Arbiter
  public void end(JJ_Result result) {
    result.r2 = times.times().sumNanos();
  }
}
