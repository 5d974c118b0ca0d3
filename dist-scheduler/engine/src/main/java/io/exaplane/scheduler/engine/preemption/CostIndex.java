// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Amounts;
import io.exaplane.scheduler.engine.model.ChangedNodes;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Where preemption costs least for one class of pods, kept while pods come and go: branch and
 * bound. Of each node it knows what preemption costs there at least, by sums of what its pods take
 * in the order of their priority; which pods have to go is worked out only where that bound is the
 * lowest of all. For its cluster's thread.
 */
final class CostIndex {
  private final Cluster cluster;
  private final BitSet possible;
  private final int priority;
  private final Amounts wanted;
  private final boolean byResources;
  private final Costs costs;
  private long readTo;
  private long budgetsVersion;

  /** By pod of the node at hand that may go: priority in the upper half, its place in the lower. */
  private long[] order = new long[16];

  private long[] milliCpu = new long[16];
  private long[] memory = new long[16];
  private long[] startsNs = new long[16];
  private long[] starts = new long[16];
  private long cpuLack;
  private long memoryLack;
  private long placesLack;

  /**
   * For the class of a pod.
   *
   * @param possible the nodes that come into question
   * @param byResources whether nodes are refused for want of cpu, memory or places for pods
   */
  CostIndex(Cluster cluster, PlacedPod pod, BitSet possible, int[] ranks, boolean byResources) {
    this.cluster = cluster;
    this.byResources = byResources;
    this.possible = possible;
    priority = pod.spec().priority();
    wanted = pod.spec().requests().toFit();
    costs = new Costs(ranks);
    boundAll();
  }

  /**
   * The candidate that costs least, or null.
   *
   * @param exact works out who has to go from a node; null if it won't do whoever goes
   */
  Candidate best(IntFunction<Candidate> exact) {
    catchUp();
    for (int node = costs.best(); node >= 0; node = costs.best()) {
      Candidate candidate = exact.apply(node);
      if (costs.isExact(node)) {
        return candidate;
      }
      if (candidate == null) {
        costs.remove(node);
      } else {
        costs.putExact(node, candidate);
      }
      costs.replay(node);
      if (costs.best() == node) {
        return candidate;
      }
    }
    return null;
  }

  private void catchUp() {
    ChangedNodes changes = cluster.changes();
    if (!changes.keeps(readTo) || budgetsVersion != cluster.surroundings().budgetsVersion()) {
      boundAll();
      return;
    }
    for (; readTo < changes.end(); readTo++) {
      int node = changes.at(readTo);
      if (possible.get(node)) {
        bound(node);
        costs.replay(node);
      }
    }
  }

  private void boundAll() {
    readTo = cluster.changes().end();
    budgetsVersion = cluster.surroundings().budgetsVersion();
    for (int node = possible.nextSetBit(0); node >= 0; node = possible.nextSetBit(node + 1)) {
      bound(node);
    }
    costs.rebuild();
  }

  /**
   * What preemption costs at least. Whoever goes: one of them is as important as the pod that makes
   * room at last if the least important go first; there are as many as it takes if each gave as
   * much as the largest; and as many of that importance as the less important leave to be given,
   * which begins with the latest.
   */
  private void bound(int node) {
    NodeTable nodes = cluster.nodes();
    int count = collect(node);
    cpuLack =
        byResources
            ? lack(
                wanted.milliCpu(), nodes.allocatableMilliCpu(node), nodes.requestedMilliCpu(node))
            : 0;
    memoryLack =
        byResources
            ? lack(wanted.memoryBytes(), nodes.allocatableMemory(node), nodes.requestedMemory(node))
            : 0;
    placesLack = byResources ? Math.max(0, nodes.podCount(node) + 1 - nodes.allowedPods(node)) : 0;
    int least = least(0, count);
    int from = 0;
    while (from < count) {
      int to = endOfPriority(from, count);
      int leastOfPriority = least(from, to);
      for (int i = from; i < to; i++) {
        cpuLack -= milliCpu[place(i)];
        memoryLack -= memory[place(i)];
      }
      placesLack -= to - from;
      if (cpuLack <= 0 && memoryLack <= 0 && placesLack <= 0) {
        long sum =
            priority(from) + Candidate.OFFSET + (least - 1) * (priority(0) + Candidate.OFFSET);
        costs.putBound(node, priority(from), sum, least, latest(from, to, leastOfPriority));
        return;
      }
      from = to;
    }
    costs.remove(node);
  }

  /** How many of these pods it takes at least to give what is lacking now, but one. */
  private int least(int from, int to) {
    long mostCpu = 1;
    long mostMemory = 1;
    for (int i = from; i < to; i++) {
      mostCpu = Math.max(mostCpu, milliCpu[place(i)]);
      mostMemory = Math.max(mostMemory, memory[place(i)]);
    }
    long bySize = Math.max(Math.ceilDiv(cpuLack, mostCpu), Math.ceilDiv(memoryLack, mostMemory));
    return Math.clamp(Math.max(bySize, placesLack), 1, Math.max(1, to - from));
  }

  private int endOfPriority(int from, int count) {
    int to = from + 1;
    while (to < count && priority(to) == priority(from)) {
      to++;
    }
    return to;
  }

  /** When the last of these pods but n began. */
  private long latest(int from, int to, int n) {
    int count = to - from;
    for (int i = 0; i < count; i++) {
      starts[i] = startsNs[place(from + i)];
    }
    Arrays.sort(starts, 0, count);
    return starts[count - n];
  }

  private int priority(int i) {
    return (int) (order[i] >> Integer.SIZE);
  }

  private int place(int i) {
    return (int) order[i];
  }

  private static long lack(long wanted, long allocatable, long requested) {
    return wanted == 0 ? 0 : Math.max(0, wanted - (allocatable - requested));
  }

  /** Puts the node's pods that may go in order, the least important first; says how many. */
  private int collect(int node) {
    int count = 0;
    for (PlacedPod pod = cluster.nodes().firstPod(node); pod != null; pod = pod.next()) {
      int theirs = pod.spec().priority();
      if (theirs < priority) {
        if (count == order.length) {
          order = Arrays.copyOf(order, 2 * count);
          milliCpu = Arrays.copyOf(milliCpu, 2 * count);
          memory = Arrays.copyOf(memory, 2 * count);
          startsNs = Arrays.copyOf(startsNs, 2 * count);
          starts = new long[2 * count];
        }
        Amounts taken = pod.spec().requests().placed();
        milliCpu[count] = taken.milliCpu();
        memory[count] = taken.memoryBytes();
        startsNs[count] = Candidate.startedNs(pod);
        order[count] = (long) theirs << Integer.SIZE | count;
        count++;
      }
    }
    Arrays.sort(order, 0, count);
    return count;
  }
}
