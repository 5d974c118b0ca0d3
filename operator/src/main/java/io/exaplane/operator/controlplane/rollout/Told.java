// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import io.exaplane.api.v1alpha1.RolloutStatus.Other;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a status tells of rollouts, one for each component: several when one was rolled back.
 * Immutable.
 *
 * @param all of them, each as if it were the only one
 * @param blocked the gates that hold them
 */
public record Told(List<RolloutStatus> all, List<Blocked> blocked) {
  /** Of a status; null without a rollout. */
  public static Told of(RolloutStatus status) {
    if (status == null) {
      return new Told(List.of(), List.of());
    }
    Stream<RolloutStatus> others =
        Stream.ofNullable(status.others()).flatMap(List::stream).map(Told::alone);
    return new Told(
        Stream.concat(Stream.of(alone(other(status))), others).toList(),
        status.blockedBy() == null ? List.of() : status.blockedBy());
  }

  /** What is told of a component. */
  public Optional<RolloutStatus> of(String component) {
    return all.stream().filter(one -> one.component().equals(component)).findFirst();
  }

  /** Those that exceeded their deadline. */
  public Stream<RolloutStatus> stalled() {
    return all.stream().filter(one -> one.stalledAt() != null);
  }

  /** Whether nothing is under way: what is told was rolled back. */
  public boolean isRest() {
    return all.stream().allMatch(one -> one.rolledBackTo() != null);
  }

  /**
   * The status that tells them, the first one in full; nothing without one.
   *
   * @param override the annotation's value that counts, or null
   */
  static Optional<RolloutStatus> join(
      List<RolloutStatus> all, List<Blocked> blocked, String override) {
    List<Other> others = all.stream().skip(1).map(Told::other).toList();
    return all.stream()
        .findFirst()
        .map(
            first ->
                new RolloutStatus(
                    first.component(),
                    first.template(),
                    first.step(),
                    first.startedAt(),
                    first.progressedAt(),
                    first.stalledAt(),
                    first.lastWords(),
                    blocked.isEmpty() ? null : List.copyOf(blocked),
                    override,
                    first.fromReplicas(),
                    first.rolledBackTo(),
                    others.isEmpty() ? null : others));
  }

  private static Other other(RolloutStatus one) {
    return new Other(
        one.component(),
        one.template(),
        one.step(),
        one.startedAt(),
        one.progressedAt(),
        one.stalledAt(),
        one.lastWords(),
        one.fromReplicas(),
        one.rolledBackTo());
  }

  private static RolloutStatus alone(Other one) {
    return new RolloutStatus(
        one.component(),
        one.template(),
        one.step(),
        one.startedAt(),
        one.progressedAt(),
        one.stalledAt(),
        one.lastWords(),
        null,
        null,
        one.fromReplicas(),
        one.rolledBackTo(),
        null);
  }
}
