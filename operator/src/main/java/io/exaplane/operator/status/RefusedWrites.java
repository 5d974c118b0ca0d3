// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
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
    conditions.set(
        active,
        false,
        passes ? Reason.ReconcileFailed : Reason.WriteRefused,
        steady(conditions, active, generation, Refusal.text(refusals)));
    if (!passes) {
      conditions.refer(REFER.formatted(active.name()));
    }
  }

  /**
   * Words that differ in numbers alone stay: who refuses may count, or name each request, and every
   * other word is a write.
   */
  private static String steady(
      ConditionSet conditions, Enum<?> active, Long generation, String text) {
    return conditions
        .previous(active)
        .filter(before -> Objects.equals(before.observedGeneration(), generation))
        .map(Condition::message)
        .filter(before -> withoutNumbers(before).equals(withoutNumbers(text)))
        .orElse(text);
  }

  private static String withoutNumbers(String text) {
    return text.replaceAll("\\b[0-9a-f-]{8,}\\b|[0-9]+", "#");
  }
}
