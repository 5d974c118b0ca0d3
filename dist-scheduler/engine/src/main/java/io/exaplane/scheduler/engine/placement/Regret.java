// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.PlacedPod;

/**
 * By what share of the best score of all feasible nodes the one that a pod gets is worse. It is
 * nothing but for a pod that gets the node for which it waited: no other is asked then.
 */
public final class Regret {
  private Regret() {}

  /**
   * Judges a pod as {@link Cycle#judge} does, after a look at what it would have found if the pod
   * waited for no node.
   *
   * @return the regret, from 0 to 1, if it gets a node
   */
  public static double judge(Cycle cycle, PlacedPod pod, int nominated) {
    Judgement all = cycle.judgeAnew(pod);
    long best = 0;
    long chosen = 0;
    for (int i = 0; i < all.feasibleCount(); i++) {
      best = Math.max(best, all.total(i));
      chosen = all.feasible(i) == nominated ? all.total(i) : chosen;
    }
    return cycle.judge(pod).nominatedDoes() && best > 0 ? (double) (best - chosen) / best : 0;
  }
}
