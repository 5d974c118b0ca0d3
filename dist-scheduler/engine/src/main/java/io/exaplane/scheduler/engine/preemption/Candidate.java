// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.List;

/**
 * A node and what would have to go from it.
 *
 * @param victims most important first, never empty
 * @param budgetViolations how many of them a PodDisruptionBudget would keep
 */
public record Candidate(int node, List<PlacedPod> victims, int budgetViolations) {
  static final long OFFSET = 1L << 31;

  /** What it costs, to be compared with the cost of another. */
  public Cost cost() {
    return new Cost(
        budgetViolations, highestPriority(), sumOfPriorities(), victims.size(), earliestStartNs());
  }

  private int highestPriority() {
    return victims.getFirst().spec().priority();
  }

  private long sumOfPriorities() {
    long sum = 0;
    for (PlacedPod victim : victims) {
      sum += victim.spec().priority() + OFFSET;
    }
    return sum;
  }

  /** Of the pods with the highest priority, which is not the first one's if they go by groups. */
  private long earliestStartNs() {
    int highest = highestPriority();
    long earliest = Long.MAX_VALUE;
    for (PlacedPod victim : victims) {
      int priority = victim.spec().priority();
      if (priority == highest) {
        earliest = Math.min(earliest, startedNs(victim));
      } else if (priority > highest) {
        highest = priority;
        earliest = startedNs(victim);
      }
    }
    return earliest;
  }

  /** A pod that has not begun counts as beginning now. */
  static long startedNs(PlacedPod pod) {
    long startedNs = pod.pod().startedNs();
    return startedNs == Fields.NO_TIME ? Long.MAX_VALUE : startedNs;
  }
}
