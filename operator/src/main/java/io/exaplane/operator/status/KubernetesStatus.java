// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Derives the conditions that tools know for every Kind (kstatus, Argo CD, kubectl wait) from ours:
 * {@code Ready}, and {@code Reconciling} and {@code Stalled}, which are False when all is well and
 * never True together. They tell nothing new, so no Event tells of them. Pure.
 */
public final class KubernetesStatus {
  private static final String GOES_ON = "Nothing is under way.";
  private static final String GOES_WELL = "Nothing holds the operator up.";

  private KubernetesStatus() {}

  /**
   * Which of ours they are derived from.
   *
   * @param ready what has to be True for Ready; none for a Kind that says Ready itself
   * @param going the condition that tells of a change that is carried out; nothing while none is
   * @param stalls those that hold everything up until a person acts, when they are False; the first
   *     one is told
   * @param passing reasons of these that pass by themselves
   */
  public record Sources(
      List<? extends Enum<?>> ready,
      Function<ConditionSet, Optional<Condition>> going,
      List<? extends Enum<?>> stalls,
      List<Reason> passing) {}

  /** The derived types. */
  public record Types(Enum<?> ready, Enum<?> reconciling, Enum<?> stalled) {}

  /** Sets them after all others. */
  public static void derive(ConditionSet conditions, Types types, Sources sources) {
    Optional<Condition> stalled =
        sources.stalls().stream()
            .flatMap(type -> conditions.current(type).stream())
            .filter(condition -> condition.status().equals(Condition.FALSE))
            .filter(
                condition ->
                    sources.passing().stream()
                        .noneMatch(reason -> reason.name().equals(condition.reason())))
            .findFirst();
    Optional<Condition> going = sources.going().apply(conditions);
    Optional<Condition> unready =
        sources.ready().stream()
            .flatMap(type -> conditions.current(type).stream())
            .filter(condition -> !condition.status().equals(Condition.TRUE))
            .findFirst();
    if (!sources.ready().isEmpty()) {
      Optional<Condition> first = Stream.of(unready, stalled).flatMap(Optional::stream).findFirst();
      conditions.derive(
          types.ready(),
          first.isEmpty(),
          reason(first),
          first.map(Condition::message).orElse("The object is as its spec says."));
    }
    conditions.derive(
        types.reconciling(),
        stalled.isEmpty() && going.isPresent(),
        stalled.isEmpty() ? reason(going) : Reason.AsExpected,
        stalled.isEmpty() ? going.map(Condition::message).orElse(GOES_ON) : GOES_ON);
    conditions.derive(
        types.stalled(),
        stalled.isPresent(),
        reason(stalled),
        stalled.map(Condition::message).orElse(GOES_WELL));
  }

  /** While a condition is True a change is carried out. */
  public static Function<ConditionSet, Optional<Condition>> whileTrue(Enum<?> type) {
    return conditions -> conditions.isTrue(type) ? conditions.current(type) : Optional.empty();
  }

  /** While a condition is False its object is on the way to it. */
  public static Function<ConditionSet, Optional<Condition>> whileFalse(Enum<?> type) {
    return conditions -> conditions.isFalse(type) ? conditions.current(type) : Optional.empty();
  }

  private static Reason reason(Optional<Condition> source) {
    return source.map(Condition::reason).map(Reason::valueOf).orElse(Reason.AsExpected);
  }
}
