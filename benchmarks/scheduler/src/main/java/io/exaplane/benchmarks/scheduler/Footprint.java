// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import io.exaplane.scheduler.engine.model.PlacedPod;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * What a node and a pod on it take of the heap: live bytes after a collection, before and after
 * they come. Arguments: how many nodes, and how many pods.
 */
public final class Footprint {
  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

  private Footprint() {}

  /** Prints bytes a node, a pod that waits, a pod on a node, and what the first class adds. */
  public static void main(String[] arguments) {
    int nodes = Integer.parseInt(arguments[0]);
    int pods = Integer.parseInt(arguments[1]);
    long empty = liveBytes();
    Fleet fleet = new Fleet(nodes);
    long withNodes = liveBytes();
    System.out.printf("a node: %d bytes%n", (withNodes - empty) / nodes);
    fleet.pods("pod-", pods, "100m", "100Mi", 0);
    long waiting = liveBytes();
    System.out.printf("a pod that waits: %d bytes%n", (waiting - withNodes) / pods);
    PlacedPod other = fleet.waiting.removeLast();
    for (int i = 0; i < fleet.waiting.size(); i++) {
      fleet.cluster.bind(fleet.waiting.get(i), i % nodes);
    }
    fleet.waiting.clear();
    long placed = liveBytes();
    System.out.printf("a pod on a node: %d bytes%n", (placed - withNodes) / pods);
    fleet.cycle.judge(other);
    long judged = liveBytes();
    fleet.cycle.choose(other);
    fleet.cycle.choose(other);
    System.out.printf(
        "the first class: %d bytes a node to judge it, %d for its index%n",
        (judged - placed) / nodes, (liveBytes() - judged) / nodes);
    System.out.printf("%d pods on %d nodes%n", fleet.cluster.pods().size(), nodes);
  }

  private static long liveBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, MEMORY.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
