// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.operator.status.NextAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers about a control plane: is it up, what is it doing, why not. The same as those of 'kubectl
 * exaplane status'. Pure.
 *
 * @param doing "" for nothing
 * @param whyNot what holds the control plane back
 */
public record Situation(Up up, String since, String doing, List<String> whyNot) {
  /** Whether the API answers. */
  public enum Up {
    NO("no"),
    UNKNOWN("unknown"),
    YES("yes");

    private final String words;

    Up(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** They repeat others. */
  private static final Set<String> FOR_TOOLS =
      Set.of(
          ConditionType.Ready.name(),
          ConditionType.Reconciling.name(),
          ConditionType.Stalled.name());

  static Situation of(ControlPlane plane) {
    Optional<Condition> available = condition(plane, ConditionType.Available);
    return new Situation(
        available.map(Situation::up).orElse(Up.UNKNOWN),
        available.map(Condition::lastTransitionTime).orElse(""),
        doing(plane),
        whyNot(plane));
  }

  private static Up up(Condition available) {
    return switch (available.status()) {
      case Condition.TRUE -> Up.YES;
      case Condition.FALSE -> Up.NO;
      default -> Up.UNKNOWN;
    };
  }

  private static String doing(ControlPlane plane) {
    String leaving = plane.getMetadata().getDeletionTimestamp();
    if (leaving != null) {
      return "deleting since " + leaving;
    }
    ControlPlaneStatus status = plane.getStatus();
    if (status == null) {
      return "waiting for the operator's first check";
    }
    if (status.rollout() != null) {
      RolloutStatus rollout = status.rollout();
      return "a rollout of %s: %s%s"
          .formatted(
              rollout.component(),
              rollout.step(),
              rollout.stalledAt() == null ? "" : ", stopped at " + rollout.stalledAt());
    }
    if (status.turn() != null && status.turn().state() == RolloutTurn.State.Waiting) {
      return "waiting for its turn to replace pods: place "
          + (status.turn().position() == null ? "unknown" : status.turn().position());
    }
    return condition(plane, ConditionType.Progressing)
        .filter(each -> each.status().equals(Condition.TRUE))
        .map(each -> each.reason() + ": " + each.message())
        .orElse("");
  }

  private static List<String> whyNot(ControlPlane plane) {
    List<String> words = new ArrayList<>();
    ControlPlaneStatus status = plane.getStatus();
    if (status != null && status.rollout() != null && status.rollout().blockedBy() != null) {
      status
          .rollout()
          .blockedBy()
          .forEach(
              gate ->
                  words.add(
                      "the gate %s holds %s: %s"
                          .formatted(gate.gate(), gate.component(), gate.message())));
    }
    conditions(plane)
        .filter(each -> !NextAction.isGood(each.type(), each.status()))
        .filter(each -> !FOR_TOOLS.contains(each.type()))
        .filter(
            each ->
                !each.type().equals(ConditionType.Progressing.name())
                    || each.status().equals(Condition.UNKNOWN))
        .map(each -> "%s %s: %s".formatted(each.type(), each.reason(), each.message()))
        .forEach(words::add);
    return words;
  }

  private static Stream<Condition> conditions(ControlPlane plane) {
    return plane.getStatus() == null || plane.getStatus().conditions() == null
        ? Stream.empty()
        : plane.getStatus().conditions().stream();
  }

  private static Optional<Condition> condition(ControlPlane plane, ConditionType type) {
    return conditions(plane).filter(each -> each.type().equals(type.name())).findFirst();
  }
}
