// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.data;

import io.exaplane.operator.wait.VolumeGuard;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the guard of a pod's volume said, read from the pod's status. Pure.
 *
 * @param dataId the volume's id, when the store may start on it; else null
 * @param found what was found in the place of the data, when it may not; else null
 */
public record GuardReport(String dataId, String found) {
  /** Name of the container. */
  public static final String CONTAINER = "volume-guard";

  /** Exit code of a store of ours whose data is older than what was seen of it. */
  private static final int OLDER_DATA = 66;

  /** The last word of the guard, or of the store behind it, if they have spoken. */
  public static Optional<GuardReport> of(Pod pod) {
    return olderData(pod).or(() -> guard(pod));
  }

  private static Optional<GuardReport> olderData(Pod pod) {
    if (!isIn(pod) || pod.getStatus() == null) {
      return Optional.empty();
    }
    return pod.getStatus().getContainerStatuses().stream()
        .filter(container -> !Boolean.TRUE.equals(container.getReady()))
        .flatMap(container -> Stream.of(container.getState(), container.getLastState()))
        .filter(Objects::nonNull)
        .map(ContainerState::getTerminated)
        .filter(Objects::nonNull)
        .filter(end -> Objects.equals(end.getExitCode(), OLDER_DATA))
        .map(_ -> new GuardReport(null, "an older copy of its data"))
        .findFirst();
  }

  private static Optional<GuardReport> guard(Pod pod) {
    return container(pod).stream()
        .flatMap(guard -> Stream.of(guard.getState(), guard.getLastState()))
        .filter(Objects::nonNull)
        .map(ContainerState::getTerminated)
        .filter(Objects::nonNull)
        .map(ContainerStateTerminated::getMessage)
        .filter(Objects::nonNull)
        .flatMap(message -> parse(message).stream())
        .findFirst();
  }

  /** Whether the pod has a guard: one that an older operator made has none. */
  public static boolean isIn(Pod pod) {
    return pod.getSpec().getInitContainers() != null
        && pod.getSpec().getInitContainers().stream()
            .anyMatch(container -> container.getName().equals(CONTAINER));
  }

  static Optional<GuardReport> parse(String message) {
    String text = message.strip();
    if (text.startsWith(VolumeGuard.PASSED)) {
      return Optional.of(new GuardReport(text.substring(VolumeGuard.PASSED.length()), null));
    }
    return text.startsWith(VolumeGuard.HELD)
        ? Optional.of(new GuardReport(null, text.substring(VolumeGuard.HELD.length())))
        : Optional.empty();
  }

  private static Optional<ContainerStatus> container(Pod pod) {
    if (pod.getStatus() == null || pod.getStatus().getInitContainerStatuses() == null) {
      return Optional.empty();
    }
    return pod.getStatus().getInitContainerStatuses().stream()
        .filter(container -> container.getName().equals(CONTAINER))
        .findFirst();
  }
}
