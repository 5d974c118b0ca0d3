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

  private static final String LOOK =
      "check whether the API server answers in time, and see the operator's log; see docs/refused.md.";

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
    String text =
        passes
            ? limited(conditions, active, Refusal.text(refusals))
            : Refusal.text(refusals).replace(Patience.NO_ACTION, "");
    boolean isOther =
        conditions
            .previous(active)
            .filter(before -> before.status().equals(Condition.FALSE))
            .filter(before -> !before.reason().equals(Reason.ReconcileFailed.name()))
            .isPresent();
    conditions.set(
        active,
        false,
        passes ? Reason.ReconcileFailed : Reason.WriteRefused,
        refusals.stream().allMatch(Refusal::repeatsItself)
            ? text
            : steady(conditions, active, generation, text));
    if (passes && isOther) {
      // Patience begins now, and not with what made it False before.
      conditions.sinceNow(active);
    }
    if (!passes) {
      conditions.refer(REFER.formatted(active.name()));
    }
  }

  /** What passes by itself, and has not for minutes, needs somebody all the same. */
  private static String limited(ConditionSet conditions, Enum<?> active, String text) {
    return conditions
        .previous(active)
        .filter(before -> before.status().equals(Condition.FALSE))
        .filter(before -> before.reason().equals(Reason.ReconcileFailed.name()))
        .filter(conditions::isOld)
        .map(_ -> ended(text))
        .orElse(text);
  }

  private static String ended(String text) {
    return Patience.ended(text.replace(Patience.NO_ACTION + " ", " "), LOOK);
  }

  /**
   * A text without numbers that move: each other word is a write.
   *
   * @param before what was told last
   */
  public static String steady(String before, String now) {
    return SteadyNumbers.of(before, now);
  }

  private static String steady(
      ConditionSet conditions, Enum<?> active, Long generation, String text) {
    return conditions
        .previous(active)
        .filter(before -> Objects.equals(before.observedGeneration(), generation))
        .map(Condition::message)
        .map(before -> text.endsWith(LOOK) && !before.endsWith(LOOK) ? ended(before) : before)
        .map(before -> SteadyNumbers.of(before, text))
        .orElse(text);
  }
}
