// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import io.exaplane.scheduler.engine.model.PlacedPod;

/**
 * How long many equal pods take that wait for as many nodes as there are. Arguments: how many
 * nodes, and how many pods. The same on a tenth of both goes before it three times, so that the
 * code is compiled.
 */
public final class EqualPods {
  private static final int WARMUPS = 3;
  private static final int PART = 10;
  private static final double NS_PER_MS = 1e6;

  private EqualPods() {}

  /** Prints milliseconds: reading, then the first two pods (a plan, an index), then the others. */
  public static void main(String[] arguments) {
    int nodes = Integer.parseInt(arguments[0]);
    int pods = Integer.parseInt(arguments[1]);
    for (int i = 0; i < WARMUPS; i++) {
      run(nodes / PART, pods / PART);
    }
    System.out.println(run(nodes, pods));
  }

  private static String run(int nodes, int pods) {
    long start = System.nanoTime();
    Fleet fleet = new Fleet(nodes);
    fleet.pods("pod-", pods, "100m", "100Mi", 0);
    long read = System.nanoTime();
    place(fleet, fleet.waiting.get(0));
    place(fleet, fleet.waiting.get(1));
    long indexed = System.nanoTime();
    for (int i = 2; i < pods; i++) {
      place(fleet, fleet.waiting.get(i));
    }
    long done = System.nanoTime();
    return "%d pods on %d nodes: read in %.0f ms, plan and index %.0f ms, all other pods %.0f ms"
        .formatted(
            pods,
            nodes,
            (read - start) / NS_PER_MS,
            (indexed - read) / NS_PER_MS,
            (done - indexed) / NS_PER_MS);
  }

  private static void place(Fleet fleet, PlacedPod pod) {
    int node = fleet.cycle.choose(pod);
    if (node < 0) {
      fleet.cycle.judge(pod);
      node = fleet.cycle.best();
    }
    fleet.cluster.bind(pod, node);
  }
}
