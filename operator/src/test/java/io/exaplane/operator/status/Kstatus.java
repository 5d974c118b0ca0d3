// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import java.util.List;

/**
 * What kstatus (sigs.k8s.io/cli-utils) makes of any object of a Kind that it does not know, in its
 * own words: it looks at the generation, then at Reconciling and Stalled in the order in which they
 * stand, then at Ready, and takes an object that says nothing for done.
 */
public enum Kstatus {
  Terminating,
  InProgress,
  Failed,
  Current;

  /**
   * Of one object.
   *
   * @param observedGeneration of its status; null if there is none
   */
  public static Kstatus of(
      boolean beingDeleted, long generation, Long observedGeneration, List<Condition> conditions) {
    if (beingDeleted) {
      return Terminating;
    }
    if (observedGeneration != null && observedGeneration != generation) {
      return InProgress;
    }
    for (Condition condition : conditions) {
      boolean isTrue = condition.status().equals(Condition.TRUE);
      if (isTrue && condition.type().equals("Reconciling")) {
        return InProgress;
      }
      if (isTrue && condition.type().equals("Stalled")) {
        return Failed;
      }
    }
    return conditions.stream()
        .filter(condition -> condition.type().equals("Ready"))
        .findFirst()
        .map(ready -> ready.status().equals(Condition.TRUE) ? Current : InProgress)
        .orElse(Current);
  }
}
