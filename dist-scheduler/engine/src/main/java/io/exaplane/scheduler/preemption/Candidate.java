// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.preemption;

import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.PlacedPod;
import java.util.List;

/**
 * A node and what would have to go from it.
 *
 * @param victims most important first, never empty
 * @param budgetViolations how many of them a PodDisruptionBudget would keep
 */
public record Candidate(int node, List<PlacedPod> victims, int budgetViolations) {
  static final long OFFSET = 1L << 31;

  /**
   * Below zero if this costs less than the other: fewer violated budgets; a lower highest priority;
   * a lower sum of priorities; fewer victims; its most important victims began later. Zero if
   * kube-scheduler would toss a coin. Source: pkg/scheduler/framework/preemption/preemption.go,
   * pickOneNodeForPreemption.
   */
  int compareCost(Candidate other) {
    int order = Integer.compare(budgetViolations, other.budgetViolations);
    if (order == 0) {
      order = Integer.compare(highestPriority(), other.highestPriority());
    }
    if (order == 0) {
      order = Long.compare(sumOfPriorities(), other.sumOfPriorities());
    }
    if (order == 0) {
      order = Integer.compare(victims.size(), other.victims.size());
    }
    return order != 0 ? order : Long.compare(other.earliestStartNs(), earliestStartNs());
  }

  int highestPriority() {
    return victims.getFirst().spec().priority();
  }

  long sumOfPriorities() {
    long sum = 0;
    for (PlacedPod victim : victims) {
      sum += victim.spec().priority() + OFFSET;
    }
    return sum;
  }

  long earliestStartNs() {
    long earliest = Long.MAX_VALUE;
    for (PlacedPod victim : victims) {
      if (victim.spec().priority() == highestPriority()) {
        earliest = Math.min(earliest, startedNs(victim));
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
