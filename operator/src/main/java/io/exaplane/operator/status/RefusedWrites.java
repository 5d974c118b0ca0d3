// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Refusal;
import java.util.List;
import java.util.Objects;

/** Tells of writes that were refused, in conditions of any of our kinds. Pure. */
public final class RefusedWrites {
  private static final String REFER =
      "See %s for the refused object, the refusing side and the next action.";

  private RefusedWrites() {}

  /**
   * Sets {@code active}, which tells whether the operator carries out changes, to False and says
   * why; nothing if nothing was refused. No other condition says any more that no action is needed.
   */
  public static void report(
      ConditionSet conditions, Enum<?> active, Long generation, List<Refusal> refusals) {
    if (refusals.isEmpty()) {
      return;
    }
    boolean passes = refusals.stream().allMatch(Refusal::passes);
    String text = Refusal.text(refusals);
    conditions.set(
        active,
        false,
        passes ? Reason.ReconcileFailed : Reason.WriteRefused,
        refusals.stream().allMatch(Refusal::repeatsItself)
            ? text
            : steady(conditions, active, generation, text));
    if (!passes) {
      conditions.refer(REFER.formatted(active.name()));
    }
  }

  /** Without numbers that move: each other word is a write. */
  private static String steady(
      ConditionSet conditions, Enum<?> active, Long generation, String text) {
    return conditions
        .previous(active)
        .filter(before -> Objects.equals(before.observedGeneration(), generation))
        .map(before -> SteadyNumbers.of(before.message(), text))
        .orElse(text);
  }
}
