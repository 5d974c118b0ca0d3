// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Important pods come to a hundred thousand nodes that a million pods fill: the time in which one
 * finds its victims. The first of them has every node looked at.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx8g")
public class PreemptionBenchmark {
  private static final int NODES = 100_000;
  private static final int PODS_PER_NODE = 10;
  private static final int PREEMPTORS = 1000;

  /** How many have come before the time counts. */
  @Param({"0", "10"})
  public int before;

  private Fleet fleet;
  private Decider decider;

  /** Nodes with ten pods each. */
  @Setup(Level.Iteration)
  public void setUp() {
    fleet = new Fleet(NODES);
    fleet.running(NODES, PODS_PER_NODE, "390m", "500Mi");
    fleet.pods("important-", before + PREEMPTORS, "1", "500Mi", 10);
    decider = new Decider(fleet.cluster, fleet.profile, 1, false);
    preempt(0, before);
  }

  /** Finds victims for all. */
  @Benchmark
  @OperationsPerInvocation(PREEMPTORS)
  public int preempt() {
    return preempt(before, before + PREEMPTORS);
  }

  private int preempt(int from, int to) {
    int victims = 0;
    for (PlacedPod pod : fleet.waiting.subList(from, to)) {
      Decision decision = decider.decide(pod);
      if (decision.nominated().isEmpty()) {
        throw new IllegalStateException(pod.pod().key() + " found no node");
      }
      victims += decision.victims().size();
      decider.apply(decision);
    }
    return victims;
  }
}
