// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RolloutStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a control plane tells of the rollout of one component. Immutable.
 *
 * @param stalledAt RFC 3339 time; null while it goes on
 * @param lastWords of the newest pod; null if nothing is known
 * @param rolledBackTo the template that is back; null unless the rollout was rolled back
 * @param gates that hold the component
 */
public record RolloutTold(
    String component, String stalledAt, String lastWords, String rolledBackTo, List<String> gates) {

  /** Of all components that a control plane tells of. */
  public static List<RolloutTold> of(ControlPlane controlPlane) {
    RolloutStatus status =
        controlPlane.getStatus() == null ? null : controlPlane.getStatus().rollout();
    if (status == null) {
      return List.of();
    }
    Stream<RolloutTold> first =
        Stream.of(
            new RolloutTold(
                status.component(),
                status.stalledAt(),
                status.lastWords(),
                status.rolledBackTo(),
                gates(status, status.component())));
    Stream<RolloutTold> others =
        Stream.ofNullable(status.others())
            .flatMap(List::stream)
            .map(
                other ->
                    new RolloutTold(
                        other.component(),
                        other.stalledAt(),
                        other.lastWords(),
                        other.rolledBackTo(),
                        gates(status, other.component())));
    return Stream.concat(first, others).toList();
  }

  private static List<String> gates(RolloutStatus status, String component) {
    return Stream.ofNullable(status.blockedBy())
        .flatMap(List::stream)
        .filter(gate -> gate.component() == null || gate.component().equals(component))
        .map(gate -> gate.gate().name())
        .distinct()
        .toList();
  }

  /** Of one component; a rollback of before a task says nothing about the task. */
  public static Optional<RolloutTold> of(
      ControlPlane controlPlane, String component, Instant began) {
    return of(controlPlane).stream()
        .filter(told -> told.component().equals(component))
        .filter(told -> told.rolledBackTo() == null || told.stoppedSince(began))
        .findFirst();
  }

  /** Whether it stopped, and not before that time. */
  public boolean stoppedSince(Instant began) {
    return stalledAt != null
        && !Instant.parse(stalledAt).isBefore(began.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Whether it stopped and holds others up: after a rollback nothing is held. */
  public boolean isHeld() {
    return stalledAt != null && rolledBackTo == null;
  }
}
