// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import com.sun.management.ThreadMXBean;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.tree.Change;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Packed;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a message of the scheduler's tree costs whoever writes, passes on and reads it: CPU time and
 * bytes allocated, by one thread, without streams. Frames are as the root makes them: 1,000 counts
 * of pods, 1,000 nodes, and a shard's answer with 16 cells of 64 nodes.
 */
public final class TreeFrames {
  private static final int COUNTS = 1000;
  private static final int CELLS = 16;
  private static final int NAMED = 64;
  private static final long WARM_NS = TimeUnit.SECONDS.toNanos(3);
  private static final int ROUNDS = 5;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long sink;

  private TreeFrames() {}

  /** Prints a line for each frame and side. */
  public static void main(String[] arguments) {
    Random random = new Random(1);
    List<Change> counts = new ArrayList<>();
    for (int i = 0; i < COUNTS; i++) {
      counts.add(new Change.Count(random.nextInt(100_000), random.nextInt(16), 1));
    }
    down("1,000 counts", counts);
    Fleet fleet = new Fleet(COUNTS);
    List<Change> nodes = new ArrayList<>();
    for (int i = 0; i < COUNTS; i++) {
      nodes.add(new Change.NodePut(i, fleet.cluster.nodes().node(i)));
    }
    down("1,000 nodes", nodes);
    List<BestOfCell> cells = new ArrayList<>();
    for (int i = 0; i < CELLS; i++) {
      int[] named = random.ints(NAMED, 0, 100_000).toArray();
      int[] scores = random.ints(NAMED, 0, 2000).toArray();
      cells.add(
          new BestOfCell(random.nextLong(), 6000, named, scores, random.longs(NAMED).toArray()));
    }
    Up.Answer answer = new Up.Answer(7, cells, List.of(new Up.Took(3, 250)));
    byte[] frame = TreeCodec.encode(answer);
    System.out.printf("an answer: %,d bytes%n", frame.length);
    time("an answer, written", () -> TreeCodec.encode(answer).length);
    time("an answer, read and written", () -> TreeCodec.encode(TreeCodec.up(frame)).length);
    time("an answer, read", () -> ((Up.Answer) TreeCodec.up(frame)).cells().size());
  }

  private static void down(String name, List<Change> changes) {
    byte[] frame = TreeCodec.encode(new Down.Changes(3, Packed.of(changes)));
    System.out.printf("%s: %,d bytes%n", name, frame.length);
    time(
        name + ", written", () -> TreeCodec.encode(new Down.Changes(3, Packed.of(changes))).length);
    time(name + ", passed on", () -> TreeCodec.encode(TreeCodec.down(frame)).length);
    time(
        name + ", read",
        () -> {
          int[] read = new int[1];
          ((Down.Changes) TreeCodec.down(frame)).changes().forEach(change -> read[0]++);
          return read[0];
        });
  }

  /** Prints the median of some rounds. */
  private static void time(String name, Supplier<Integer> work) {
    int times = 0;
    for (long start = System.nanoTime(); System.nanoTime() - start < WARM_NS; times++) {
      sink += work.get();
    }
    int each = Math.max(1, times / ROUNDS);
    double[] micros = new double[ROUNDS];
    long bytes = 0;
    long thread = Thread.currentThread().threadId();
    for (int round = 0; round < ROUNDS; round++) {
      long allocated = THREADS.getThreadAllocatedBytes(thread);
      long start = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < each; i++) {
        sink += work.get();
      }
      micros[round] = (THREADS.getCurrentThreadCpuTime() - start) / 1000.0 / each;
      bytes = (THREADS.getThreadAllocatedBytes(thread) - allocated) / each;
    }
    java.util.Arrays.sort(micros);
    System.out.printf("%s: %.1f us of CPU, %,d bytes allocated%n", name, micros[ROUNDS / 2], bytes);
  }
}
