// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Reason;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A container that was killed for its memory. Immutable.
 *
 * @param at when, as Kubernetes writes it
 * @param limit the memory that it could have; nothing if it had no limit, and its node no more
 */
public record OutOfMemory(String pod, String at, Optional<Quantity> limit)
    implements MemoryShortage {
  private static final String REASON = "OOMKilled";

  /**
   * That of the largest limit, and of these the last: after a limit was raised, pods of before may
   * be killed still.
   */
  public static Optional<OutOfMemory> of(Collection<Pod> pods, String container) {
    return pods.stream()
        .flatMap(pod -> ends(pod, container).map(end -> of(pod, container, end)))
        .max(
            Comparator.comparingDouble(OutOfMemory::limitBytes)
                .thenComparing(OutOfMemory::at)
                .thenComparing(OutOfMemory::pod));
  }

  private static Stream<ContainerStateTerminated> ends(Pod pod, String container) {
    if (pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null) {
      return Stream.empty();
    }
    return pod.getStatus().getContainerStatuses().stream()
        .filter(status -> status.getName().equals(container))
        .flatMap(OutOfMemory::states)
        .flatMap(state -> Stream.ofNullable(state.getTerminated()))
        .filter(end -> REASON.equals(end.getReason()));
  }

  private static Stream<ContainerState> states(ContainerStatus status) {
    return Stream.concat(
        Stream.ofNullable(status.getState()), Stream.ofNullable(status.getLastState()));
  }

  private static OutOfMemory of(Pod pod, String container, ContainerStateTerminated end) {
    return new OutOfMemory(
        pod.getMetadata().getName(),
        end.getFinishedAt() == null ? "" : end.getFinishedAt(),
        pod.getSpec().getContainers().stream()
            .filter(any -> any.getName().equals(container))
            .findFirst()
            .map(Container::getResources)
            .map(ResourceRequirements::getLimits)
            .map(limits -> limits.get("memory")));
  }

  @Override
  public Reason reason() {
    return Reason.OutOfMemory;
  }

  @Override
  public String text() {
    return "pod %s was killed for its memory at %s with %s"
        .formatted(
            pod,
            at,
            limit
                .map(any -> "a limit of " + any)
                .orElse("no limit, since its node had no more memory"));
  }
}
