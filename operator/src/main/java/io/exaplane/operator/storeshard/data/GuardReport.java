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

  /** The guard's last word, if it has spoken. */
  public static Optional<GuardReport> of(Pod pod) {
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
