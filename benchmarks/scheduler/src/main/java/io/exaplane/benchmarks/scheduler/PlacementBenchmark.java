// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

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
 * A hundred thousand pods that wait get nodes: the time and the allocation of one. Pods are in
 * memory; indexes are built by the first pods of each class, which count.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx8g")
public class PlacementBenchmark {
  private static final int PODS = 100_000;

  /** How many nodes there are. */
  @Param({"100000"})
  public int nodes;

  /** How many kinds of pods come in turn. */
  @Param({"1", "16", "64"})
  public int classes;

  /** Whether every other kind fills a node with one pod. */
  @Param({"false", "true"})
  public boolean full;

  private Fleet fleet;

  /** Nodes with nothing on them, and pods of all classes in turn. */
  @Setup(Level.Iteration)
  public void setUp() {
    fleet = new Fleet(nodes);
    for (int i = 0; i < PODS / classes; i++) {
      for (int kind = 0; kind < classes; kind++) {
        boolean large = full && kind % 2 == 0;
        int milliCpu = large ? 3800 + kind : 50 + 5 * kind;
        fleet.pods("pod-" + kind + "-" + i + "-", 1, milliCpu + "m", 100 + kind + "Mi", 0);
      }
    }
  }

  /** Places them all. */
  @Benchmark
  @OperationsPerInvocation(PODS)
  public int place() {
    int placed = 0;
    for (PlacedPod pod : fleet.waiting) {
      int node = fleet.cycle.choose(pod);
      if (node >= 0) {
        fleet.cluster.bind(pod, node);
        placed++;
      } else if (node != -1) {
        fleet.cycle.judge(pod);
        fleet.cluster.bind(pod, fleet.cycle.best());
      }
    }
    return placed;
  }
}
