// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What keeps a pod from being ready, in the words of who knows, and the next action. The words stay
 * the same while a container ends, waits and starts again: each change is a write of a status.
 * Pure.
 */
public final class PodTrouble {
  /** That a pod goes through them is no trouble. */
  private static final Set<String> USUAL = Set.of("ContainerCreating", "PodInitializing");

  private static final Set<String> PULLS = Set.of("ErrImagePull", "ImagePullBackOff");
  private static final Set<String> NO_IMAGE =
      Set.of(
          "ErrImageNeverPull",
          "InvalidImageName",
          "ImageInspectError",
          "RegistryUnavailable",
          "SignatureValidationFailed");

  /** It ends, and is started again; by turns the one and the other is told. */
  private static final Set<String> ENDS =
      Set.of("CrashLoopBackOff", "RunContainerError", "PostStartHookError");

  private static final String IMAGE = "; check the image's name, the registry and the pull secret";
  private static final String PULL_FAILED = "ErrImagePull: ";
  private static final String RESTARTED = "CrashLoopBackOff";
  private static final String OUT_OF_MEMORY = "OOMKilled";

  /** 128 + SIGKILL: a container runtime that missed the kernel's word tells only this of memory. */
  private static final int KILLED = 137;

  private static final String MAYBE_OUT_OF_MEMORY =
      "; SIGKILL ended the process: if its memory ran out, raise the memory limit of the container";

  private PodTrouble() {}

  /** Of the first pod, by name, that has one, with the pod's name. */
  public static Optional<String> of(Collection<Pod> pods) {
    return byName(pods)
        .flatMap(pod -> of(pod, Optional.empty()).map(text -> named(pod, text)).stream())
        .findFirst();
  }

  /** What to look at in the first pod, by name, that is not ready, whatever keeps it. */
  public static Optional<String> lookAt(Collection<Pod> pods) {
    return byName(pods)
        .filter(pod -> !isReady(pod))
        .map(pod -> named(pod, lookAt(pod)))
        .findFirst()
        .or(() -> leaving(pods));
  }

  /** The first that is to go and does not: a StatefulSet makes no other of its name meanwhile. */
  private static Optional<String> leaving(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
        .min(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .map(pod -> named(pod, leaving(pod)));
  }

  private static String leaving(Pod pod) {
    String since = "Terminating since " + pod.getMetadata().getDeletionTimestamp();
    List<String> finalizers = pod.getMetadata().getFinalizers();
    if (finalizers != null && !finalizers.isEmpty()) {
      return "%s, blocked by the finalizer %s. Check the controller that owns this finalizer; it must remove it"
          .formatted(since, String.join(", ", finalizers));
    }
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null
        ? since + "; " + events(pod)
        : "%1$s on node %2$s; see 'kubectl describe node %2$s'. If the node is lost for good, run 'kubectl taint nodes %2$s node.kubernetes.io/out-of-service=nodeshutdown:NoExecute', and another pod takes its place"
            .formatted(since, node);
  }

  private static String named(Pod pod, String text) {
    return "pod " + pod.getMetadata().getName() + ": " + text;
  }

  private static Stream<Pod> byName(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        // One that was evicted stays as an object when another one has taken its place.
        .sorted(
            Comparator.comparing(PodTrouble::hasFailed)
                .thenComparing(pod -> pod.getMetadata().getName()));
  }

  private static boolean hasFailed(Pod pod) {
    return pod.getStatus() != null && "Failed".equals(pod.getStatus().getPhase());
  }

  /**
   * Of one pod; nothing if it is ready, or on its way as far as anybody says.
   *
   * @param claim the one that it waits for, if it has one
   */
  public static Optional<String> of(Pod pod, Optional<PersistentVolumeClaim> claim) {
    if (pod.getStatus() == null) {
      return ofClaim(claim);
    }
    if (isReady(pod)) {
      return Optional.empty();
    }
    return ofWhole(pod)
        .or(() -> unscheduled(pod, claim))
        .or(() -> ofContainers(pod, pod.getStatus().getInitContainerStatuses()))
        .or(() -> ofContainers(pod, pod.getStatus().getContainerStatuses()))
        .or(() -> ofEvents(pod))
        .or(() -> ofClaim(claim))
        .or(() -> ofNode(pod));
  }

  /** Evicted, or not admitted by its node: no container says anything then. */
  private static Optional<String> ofWhole(Pod pod) {
    String reason = pod.getStatus().getReason();
    return reason == null
        ? Optional.empty()
        : Optional.of(
            reason + onNode(pod) + ended(pod.getStatus().getMessage()) + PodRemedy.of(reason, pod));
  }

  private static String onNode(Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null ? "" : " on node " + node;
  }

  /** What {@link PodEvents} has read. */
  private static Optional<String> ofEvents(Pod pod) {
    return condition(pod, PodEvents.CONDITION)
        .map(
            said ->
                said.getReason() + ended(said.getMessage()) + PodRemedy.of(said.getReason(), pod));
  }

  /** All containers are ready as far as the kubelet told, and the pod is said not to be. */
  private static Optional<String> ofNode(Pod pod) {
    List<ContainerStatus> containers = pod.getStatus().getContainerStatuses();
    if (containers == null
        || containers.isEmpty()
        || !containers.stream().allMatch(any -> Boolean.TRUE.equals(any.getReady()))
        || condition(pod, "Ready").isEmpty()
        || pod.getSpec() == null
        || pod.getSpec().getNodeName() == null) {
      return Optional.empty();
    }
    return Optional.of(
        "its containers were ready, and node %s no longer says so. Repair the node, or delete its Node object if it does not come back; see 'kubectl describe node %s'"
            .formatted(pod.getSpec().getNodeName(), pod.getSpec().getNodeName()));
  }

  private static Optional<String> unscheduled(Pod pod, Optional<PersistentVolumeClaim> claim) {
    return condition(pod, "PodScheduled")
        .filter(condition -> "False".equals(condition.getStatus()))
        .map(
            condition ->
                "no node accepts the pod (%s)%s; %s"
                    .formatted(
                        condition.getReason(),
                        ended(condition.getMessage()),
                        ofClaim(claim).orElseGet(() -> untilScheduled(pod))));
  }

  private static String untilScheduled(Pod pod) {
    if (pod.getSpec() != null
        && pod.getSpec().getSchedulingGates() != null
        && !pod.getSpec().getSchedulingGates().isEmpty()) {
      return "the scheduling gate %s holds the pod. Check the controller that set the gate"
          .formatted(
              pod.getSpec().getSchedulingGates().stream()
                  .map(gate -> gate.getName())
                  .collect(Collectors.joining(", ")));
    }
    String nominated = pod.getStatus().getNominatedNodeName();
    return nominated == null || nominated.isEmpty()
        ? "add a node that accepts the pod, or change the pod's requirements in the spec"
        : "node %s ends other pods to make room; wait until they are gone, or see 'kubectl describe node %s'"
            .formatted(nominated, nominated);
  }

  private static Optional<String> ofClaim(Optional<PersistentVolumeClaim> claim) {
    return claim
        .filter(any -> any.getStatus() != null && !"Bound".equals(any.getStatus().getPhase()))
        .map(
            any ->
                "claim %s is %s, of %s; see 'kubectl -n %s describe pvc %s'"
                    .formatted(
                        any.getMetadata().getName(),
                        any.getStatus().getPhase(),
                        any.getSpec().getStorageClassName() == null
                            ? "no StorageClass"
                            : "StorageClass " + any.getSpec().getStorageClassName(),
                        any.getMetadata().getNamespace(),
                        any.getMetadata().getName()));
  }

  private static Optional<String> ofContainers(Pod pod, List<ContainerStatus> containers) {
    return containers == null
        ? Optional.empty()
        : containers.stream()
            .filter(container -> !Boolean.TRUE.equals(container.getReady()))
            .flatMap(container -> of(pod, container).stream())
            .findFirst();
  }

  private static Optional<String> of(Pod pod, ContainerStatus container) {
    Optional<ContainerStateWaiting> waiting =
        Optional.ofNullable(container.getState()).map(ContainerState::getWaiting);
    boolean restarts =
        waiting.isEmpty() || ENDS.contains(waiting.get().getReason()) || isUsual(waiting.get());
    Optional<String> ended =
        Stream.of(
                Optional.ofNullable(container.getState()),
                Optional.ofNullable(container.getLastState()))
            .flatMap(Optional::stream)
            .flatMap(state -> Stream.ofNullable(state.getTerminated()))
            .flatMap(end -> ended(pod, container, end).stream())
            .findFirst();
    return restarts
        ? ended.or(() -> waiting.filter(any -> !isUsual(any)).map(any -> text(pod, container, any)))
        : waiting.map(any -> text(pod, container, any));
  }

  private static boolean isUsual(ContainerStateWaiting waiting) {
    return waiting.getReason() == null || USUAL.contains(waiting.getReason());
  }

  private static String text(Pod pod, ContainerStatus container, ContainerStateWaiting waiting) {
    if (PULLS.contains(waiting.getReason())) {
      return "image %s of container %s cannot be pulled (ErrImagePull, ImagePullBackOff)%s%s"
          .formatted(
              image(pod, container), container.getName(), ended(pullProblem(waiting)), IMAGE);
    }
    if (NO_IMAGE.contains(waiting.getReason())) {
      return "image %s of container %s cannot be used (%s)%s%s"
          .formatted(
              image(pod, container),
              container.getName(),
              waiting.getReason(),
              ended(waiting.getMessage()),
              IMAGE);
    }
    // How long it is waited changes with each attempt, and says nothing.
    return "container %s is waiting (%s)%s%s"
        .formatted(
            container.getName(),
            waiting.getReason(),
            RESTARTED.equals(waiting.getReason()) ? "" : ended(waiting.getMessage()),
            PodRemedy.of(waiting.getReason(), pod));
  }

  /** Kubernetes says by turns that a pull failed and that the next is waited for. */
  private static String pullProblem(ContainerStateWaiting waiting) {
    String message = waiting.getMessage() == null ? "" : waiting.getMessage();
    int cause = message.indexOf(PULL_FAILED);
    return cause >= 0
        ? message.substring(cause + PULL_FAILED.length())
        : message.startsWith("Back-off") ? null : message;
  }

  private static String image(Pod pod, ContainerStatus container) {
    return Stream.of(pod.getSpec().getContainers(), pod.getSpec().getInitContainers())
        .flatMap(containers -> containers == null ? Stream.empty() : containers.stream())
        .filter(any -> any.getName().equals(container.getName()))
        .map(Container::getImage)
        .findFirst()
        .orElse(container.getImage());
  }

  /** What the process said at its end tells more than that it ended. */
  private static Optional<String> ended(
      Pod pod, ContainerStatus status, ContainerStateTerminated end) {
    String container = status.getName();
    boolean again = status.getRestartCount() != null && status.getRestartCount() > 0;
    if (OUT_OF_MEMORY.equals(end.getReason())) {
      return Optional.of(
          "container %s was killed for its memory (%s); raise the memory limit of the container"
              .formatted(container, OUT_OF_MEMORY));
    }
    int code = end.getExitCode() == null ? 0 : end.getExitCode();
    boolean plain =
        end.getReason() == null || Set.of("Error", "Completed").contains(end.getReason());
    return code == 0 && plain
        ? Optional.empty()
        : Optional.of(
            "container %s ended with code %d%s%s%s; see 'kubectl -n %s logs %s -c %s --previous'"
                .formatted(
                    container,
                    code,
                    plain ? again ? " (" + RESTARTED + ")" : "" : " (" + end.getReason() + ")",
                    ended(Words.lastLine(end.getMessage()).orElse(null)),
                    plain && code == KILLED ? MAYBE_OUT_OF_MEMORY : "",
                    pod.getMetadata().getNamespace(),
                    pod.getMetadata().getName(),
                    container));
  }

  private static String ended(String words) {
    return words == null || words.isBlank() ? "" : ": " + Words.cut(words.strip());
  }

  /** Where a person finds more, by how far the pod has come. */
  public static String lookAt(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return leaving(pod);
    }
    String namespace = pod.getMetadata().getNamespace();
    String name = pod.getMetadata().getName();
    return running(pod)
        .map(
            container ->
                "container %s runs but is not ready; see 'kubectl -n %s logs %s -c %s'"
                    .formatted(container, namespace, name, container))
        .orElseGet(() -> "no container runs; " + events(pod));
  }

  /** Where a person finds the Events of a pod. */
  public static String events(Pod pod) {
    return "see the Events in 'kubectl -n %s describe pod %s'"
        .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
  }

  /** Whether a container runs that is not ready. */
  public static boolean runs(Pod pod) {
    return running(pod).isPresent();
  }

  private static Optional<String> running(Pod pod) {
    return pod.getStatus() == null
        ? Optional.empty()
        : Stream.of(
                pod.getStatus().getInitContainerStatuses(), pod.getStatus().getContainerStatuses())
            .flatMap(containers -> containers == null ? Stream.empty() : containers.stream())
            .filter(container -> !Boolean.TRUE.equals(container.getReady()))
            .filter(container -> container.getState() != null)
            .filter(container -> container.getState().getRunning() != null)
            .map(ContainerStatus::getName)
            .findFirst();
  }

  /** Whether the pod is there and not said to be ready. */
  static boolean isUnready(Pod pod) {
    return !isReady(pod);
  }

  private static boolean isReady(Pod pod) {
    return condition(pod, "Ready")
        .filter(condition -> "True".equals(condition.getStatus()))
        .isPresent();
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    return pod.getStatus() == null || pod.getStatus().getConditions() == null
        ? Optional.empty()
        : pod.getStatus().getConditions().stream()
            .filter(condition -> type.equals(condition.getType()))
            .findFirst();
  }
}
