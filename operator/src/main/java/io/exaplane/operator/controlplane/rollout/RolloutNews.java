// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import io.exaplane.operator.status.News;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What people are told, as Events, of the steps between two statuses of a rollout. Pure. */
public final class RolloutNews {
  /** Each step has them for a while. */
  private static final Set<RolloutGate> USUAL =
      Set.of(RolloutGate.MinReady, RolloutGate.MetricsRead, RolloutGate.ProgressDeadline);

  private RolloutNews() {}

  /** The Events, in their order. */
  public static List<News> of(
      Optional<RolloutStatus> before, Optional<RolloutStatus> after, RolloutPolicy policy) {
    List<News> news = new ArrayList<>();
    boolean isSame =
        after.isPresent() && before.filter(was -> isSame(was, after.get())).isPresent();
    if (!isSame) {
      after.ifPresent(
          now ->
              news.add(
                  new News(
                      false,
                      Reason.RolloutStarted,
                      "kube-%s: %s".formatted(now.component(), began(now)))));
    } else if (!before.get().step().equals(after.get().step())) {
      news.add(
          new News(
              false,
              Reason.RolloutAdvanced,
              "kube-%s: %s".formatted(after.get().component(), after.get().step())));
    }
    Told known = Told.of(before.orElse(null));
    Told.of(after.orElse(null)).all().stream()
        .filter(now -> now.rolledBackTo() != null)
        .filter(now -> known.of(now.component()).map(RolloutStatus::rolledBackTo).isEmpty())
        .forEach(
            now ->
                news.add(
                    new News(
                        true,
                        Reason.RolledBack,
                        "kube-%s gets its last settled template back: %s"
                            .formatted(now.component(), now.lastWords()))));
    blocked(after)
        .filter(gate -> !USUAL.contains(gate.gate()))
        .filter(gate -> blocked(before).noneMatch(was -> isSame(was, gate)))
        .forEach(gate -> news.add(new News(false, Reason.RolloutBlocked, text(gate))));
    if (after.isPresent() && policy.override() != null && isNew(before, policy.override())) {
      override(policy, news);
    }
    if (before.isEmpty() && after.isEmpty() && policy.override() != null) {
      news.add(
          new News(
              true,
              Reason.RolloutOverridden,
              "The annotation %s opens nothing: no rollout is under way. The operator removes the annotation. Set it again while a rollout is under way."
                  .formatted(Names.ROLLOUT_OVERRIDE)));
    }
    if (before.isPresent() && after.isEmpty()) {
      news.add(
          new News(
              false,
              Reason.RolloutCompleted,
              "kube-%s: the rollout has ended".formatted(before.get().component())));
    }
    return news;
  }

  private static boolean isNew(Optional<RolloutStatus> before, String override) {
    return before.map(RolloutStatus::override).filter(override::equals).isEmpty();
  }

  private static void override(RolloutPolicy policy, List<News> news) {
    if (!policy.open().isEmpty()) {
      news.add(
          new News(
              true,
              Reason.RolloutOverridden,
              "The annotation %s opens %s until the rollout has ended. The operator then removes the annotation."
                  .formatted(
                      Names.ROLLOUT_OVERRIDE,
                      policy.open().stream()
                          .map(RolloutGate::name)
                          .collect(Collectors.joining(", ")))));
    }
    if (!policy.unknown().isEmpty()) {
      news.add(new News(true, Reason.UnknownGate, unknown(policy)));
    }
  }

  /** What is said of names that no gate has. */
  public static String unknown(RolloutPolicy policy) {
    return "The annotation %s names %s, which is no gate. The gates are %s. Correct the annotation."
        .formatted(
            Names.ROLLOUT_OVERRIDE,
            String.join(", ", policy.unknown()),
            Arrays.stream(RolloutGate.values())
                .map(RolloutGate::name)
                .collect(Collectors.joining(", ")));
  }

  private static String began(RolloutStatus now) {
    return now.fromReplicas() == null
        ? "the operator replaces pods one by one, " + now.step()
        : "the operator adds pods one by one, " + now.step();
  }

  private static String text(Blocked gate) {
    return "%s holds kube-%s: %s%s"
        .formatted(
            gate.gate(),
            gate.component(),
            gate.message(),
            gate.number() == null
                ? ""
                : " (%s, the limit is %s)".formatted(gate.number(), gate.limit()));
  }

  private static boolean isSame(RolloutStatus was, RolloutStatus is) {
    return was.component().equals(is.component())
        && Objects.equals(was.template(), is.template())
        && Objects.equals(was.startedAt(), is.startedAt())
        && (was.fromReplicas() == null) == (is.fromReplicas() == null);
  }

  private static boolean isSame(Blocked was, Blocked is) {
    return was.gate() == is.gate() && was.component().equals(is.component());
  }

  private static Stream<Blocked> blocked(Optional<RolloutStatus> status) {
    return status.map(RolloutStatus::blockedBy).stream().flatMap(List::stream);
  }
}
