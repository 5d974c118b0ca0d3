// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import java.util.Comparator;

/**
 * What it costs to make room on a node. The less comes first: fewer violated budgets; a lower
 * highest priority; a lower sum of priorities; fewer victims; the most important victims began
 * later. Equal where kube-scheduler would toss a coin. Source:
 * pkg/scheduler/framework/preemption/preemption.go, pickOneNodeForPreemption.
 *
 * @param budgetViolations how many victims a PodDisruptionBudget would keep
 * @param highestPriority of the victims
 * @param sumOfPriorities of the victims, each with an offset that makes it positive
 * @param victims how many there are
 * @param earliestStartNs when the first of those with the highest priority began
 */
public record Cost(
    int budgetViolations,
    int highestPriority,
    long sumOfPriorities,
    int victims,
    long earliestStartNs)
    implements Comparable<Cost> {
  private static final Comparator<Cost> LESS_FIRST =
      Comparator.comparingInt(Cost::budgetViolations)
          .thenComparingInt(Cost::highestPriority)
          .thenComparingLong(Cost::sumOfPriorities)
          .thenComparingInt(Cost::victims)
          .thenComparing(Comparator.comparingLong(Cost::earliestStartNs).reversed());

  @Override
  public int compareTo(Cost other) {
    return LESS_FIRST.compare(this, other);
  }
}
