// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DisruptionBudget;
import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose eviction a PodDisruptionBudget does not allow. For its cluster's thread. Source:
 * pkg/scheduler/framework/preemption/util.go, FilterVictimsWithPDBViolation.
 */
final class Budgets {
  /** Those who go together, by whether a budget would keep any of them. */
  static final class Split {
    private final Map<Victims.Unit, Integer> violations = new IdentityHashMap<>();
    private final List<Victims.Unit> inOrder = new ArrayList<>();

    /** Those that a budget would keep first; otherwise as they came. */
    List<Victims.Unit> inOrder() {
      return inOrder;
    }

    /** How many pods of these a budget would keep. */
    int violations(Victims.Unit unit) {
      return violations.getOrDefault(unit, 0);
    }
  }

  private final Cluster cluster;

  /** From 1.37 on, a pod asks no more budgets once one of them is used up. */
  private final boolean stopsAtFirst;

  Budgets(Cluster cluster, boolean stopsAtFirst) {
    this.cluster = cluster;
    this.stopsAtFirst = stopsAtFirst;
  }

  /** A pod takes from every budget that covers it, until 1.36 also when one of them is used up. */
  void split(List<PlacedPod> pods, List<PlacedPod> guarded, List<PlacedPod> free) {
    List<DisruptionBudget> budgets = List.copyOf(cluster.surroundings().budgets());
    int[] left = left(budgets);
    for (PlacedPod pod : pods) {
      (violates(pod, budgets, left) ? guarded : free).add(pod);
    }
  }

  /** The same of those who go together. */
  Split split(List<Victims.Unit> units) {
    List<DisruptionBudget> budgets = List.copyOf(cluster.surroundings().budgets());
    int[] left = left(budgets);
    Split split = new Split();
    List<Victims.Unit> free = new ArrayList<>();
    for (Victims.Unit unit : units) {
      int violations = 0;
      for (PlacedPod pod : unit.pods()) {
        violations += violates(pod, budgets, left) ? 1 : 0;
      }
      if (violations > 0) {
        split.violations.put(unit, violations);
        split.inOrder.add(unit);
      } else {
        free.add(unit);
      }
    }
    split.inOrder.addAll(free);
    return split;
  }

  private static int[] left(List<DisruptionBudget> budgets) {
    return budgets.stream().mapToInt(DisruptionBudget::disruptionsAllowed).toArray();
  }

  private boolean violates(PlacedPod pod, List<DisruptionBudget> budgets, int[] left) {
    boolean violates = false;
    for (int i = 0; i < left.length && !(violates && stopsAtFirst); i++) {
      if (budgets.get(i).covers(pod.pod())) {
        violates |= --left[i] < 0;
      }
    }
    return violates;
  }
}
