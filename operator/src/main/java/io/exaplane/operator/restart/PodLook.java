// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import io.exaplane.operator.status.PodTrouble;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a pod's status says of restarts. First containers do not count: they wait or guard, and
 * their end is told elsewhere. Immutable.
 *
 * @param version its resourceVersion
 * @param restarts of all its containers, as the kubelet counts them
 * @param lastEnd when a container ended last
 * @param readySince since when the pod is ready, if it is
 * @param crashLooping whether the kubelet waits before it starts a container again
 * @param leaving whether the pod is being deleted
 * @param trouble why it is not ready, in words
 */
public record PodLook(
    String name,
    String uid,
    String version,
    Instant created,
    int restarts,
    Optional<Instant> lastEnd,
    Optional<Instant> readySince,
    boolean crashLooping,
    boolean leaving,
    Optional<String> trouble) {
  private static final String BACK_OFF = "CrashLoopBackOff";

  /** Reads it. */
  public static PodLook of(Pod pod) {
    List<ContainerStatus> containers =
        pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
            ? List.of()
            : pod.getStatus().getContainerStatuses();
    return new PodLook(
        pod.getMetadata().getName(),
        Objects.requireNonNullElse(pod.getMetadata().getUid(), ""),
        Objects.requireNonNullElse(pod.getMetadata().getResourceVersion(), ""),
        pod.getMetadata().getCreationTimestamp() == null
            ? Instant.EPOCH
            : Instant.parse(pod.getMetadata().getCreationTimestamp()),
        containers.stream()
            .mapToInt(status -> status.getRestartCount() == null ? 0 : status.getRestartCount())
            .sum(),
        containers.stream().flatMap(PodLook::ends).max(Comparator.naturalOrder()),
        readySince(pod),
        containers.stream().anyMatch(PodLook::waits),
        pod.getMetadata().getDeletionTimestamp() != null,
        PodTrouble.of(pod, Optional.empty()));
  }

  /** Whether it is on its way to be ready. */
  boolean starts() {
    return !leaving && readySince.isEmpty() && !crashLooping;
  }

  /** Whether it ended, and is not ready since. */
  boolean fails() {
    return !leaving && readySince.isEmpty() && lastEnd.isPresent() && restarts > 0;
  }

  private static Stream<Instant> ends(ContainerStatus status) {
    return Stream.of(
            Optional.ofNullable(status.getState()), Optional.ofNullable(status.getLastState()))
        .flatMap(Optional::stream)
        .map(ContainerState::getTerminated)
        .filter(end -> end != null && end.getFinishedAt() != null)
        .map(end -> Instant.parse(end.getFinishedAt()));
  }

  private static boolean waits(ContainerStatus status) {
    return Optional.ofNullable(status.getState())
        .map(ContainerState::getWaiting)
        .map(ContainerStateWaiting::getReason)
        .filter(BACK_OFF::equals)
        .isPresent();
  }

  private static Optional<Instant> readySince(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getConditions() == null
        ? Optional.empty()
        : pod.getStatus().getConditions().stream()
            .filter(condition -> "Ready".equals(condition.getType()))
            .filter(condition -> "True".equals(condition.getStatus()))
            .map(PodCondition::getLastTransitionTime)
            .map(time -> time == null ? Instant.EPOCH : Instant.parse(time))
            .findFirst();
  }
}
