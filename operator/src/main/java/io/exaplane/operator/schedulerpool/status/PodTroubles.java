// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What keeps pods from running, in the words of who knows. Pure. */
final class PodTroubles {
  private static final int MOST = 500;

  private PodTroubles() {}

  /** Of the first pod, by name, that has one. */
  static Optional<String> of(List<Pod> pods) {
    return pods.stream()
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .map(pod -> of(pod).map(text -> "pod " + pod.getMetadata().getName() + ": " + text))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> of(Pod pod) {
    if (pod.getStatus() == null) {
      return Optional.empty();
    }
    return ofContainers(pod.getStatus().getContainerStatuses())
        .or(() -> unschedulable(pod.getStatus().getConditions()));
  }

  private static Optional<String> ofContainers(List<ContainerStatus> containers) {
    if (containers == null) {
      return Optional.empty();
    }
    return containers.stream()
        .filter(container -> !Boolean.TRUE.equals(container.getReady()))
        .map(PodTroubles::of)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** What the process said at its end tells more than that it is waited before it begins again. */
  private static Optional<String> of(ContainerStatus container) {
    Optional<ContainerStateTerminated> ended =
        Optional.ofNullable(container.getLastState()).map(ContainerState::getTerminated);
    Optional<String> said =
        ended.map(ContainerStateTerminated::getMessage).flatMap(PodTroubles::lastLine);
    Optional<String> killed =
        ended.map(ContainerStateTerminated::getReason).filter(reason -> !reason.equals("Error"));
    return said.or(() -> killed)
        .or(
            () ->
                Optional.ofNullable(container.getState())
                    .map(ContainerState::getWaiting)
                    .filter(waiting -> !"ContainerCreating".equals(waiting.getReason()))
                    .map(PodTroubles::text));
  }

  private static String text(ContainerStateWaiting waiting) {
    return waiting.getMessage() == null
        ? waiting.getReason()
        : cut(waiting.getReason() + ": " + waiting.getMessage());
  }

  /** Lines that begin with a space are parts of a stack's trace. */
  private static Optional<String> lastLine(String text) {
    return text.lines()
        .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
        .reduce((_, last) -> last)
        .map(PodTroubles::cut);
  }

  private static String cut(String text) {
    return text.length() <= MOST ? text : text.substring(0, MOST) + "…";
  }

  private static Optional<String> unschedulable(List<PodCondition> conditions) {
    return conditions == null
        ? Optional.empty()
        : conditions.stream()
            .filter(c -> c.getType().equals("PodScheduled") && c.getStatus().equals("False"))
            .map(c -> cut(c.getReason() + ": " + c.getMessage()))
            .findFirst();
  }
}
