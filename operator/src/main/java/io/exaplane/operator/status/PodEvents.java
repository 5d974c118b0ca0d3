// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What only Events tell of pods: a volume that can't be mounted, a sandbox that can't be made, a
 * probe that fails. Asked for pods that have stood still for a while and whose status has no words,
 * and then carried with the pod as a condition of our own, so that whoever speaks of pods need not
 * ask. Thread-safe: keeps nothing.
 */
public final class PodEvents {
  /** The condition that is added to the copy of a pod. */
  static final String CONDITION = "exaplane.io/Events";

  /** What can't be said of a pod whose containers run. */
  private static final List<String> BEFORE_CONTAINERS =
      List.of(
          "FailedAttachVolume",
          "FailedMount",
          "FailedMapVolume",
          "FailedCreatePodSandBox",
          "FailedCreatePodContainer",
          "FailedPrepareDynamicResources",
          "NetworkNotReady");

  private static final List<String> OF_CONTAINERS = List.of("Unhealthy", "FailedPostStartHook");

  private static final List<String> OF_CLAIMS =
      List.of(
          "ProvisioningFailed",
          "FailedBinding",
          "VolumeMismatch",
          "ExternalProvisioning",
          "WaitForFirstConsumer");

  /** Events of the first moments pass: a Secret comes after the pod, a server takes its time. */
  private static final Duration STARTING = Duration.ofSeconds(30);

  private static final Duration RUNNING = Patience.LIMIT;

  private PodEvents() {}

  /** The same pods; those that stand still carry what Events say of them. */
  public static List<Pod> read(Collection<Pod> pods, KubernetesClient client, Instant now) {
    return pods.stream().map(pod -> standsStill(pod, now) ? read(pod, client) : pod).toList();
  }

  /** The same pod with what Events say of it, whatever its age. */
  public static Pod read(Pod pod, KubernetesClient client) {
    return FailureEvents.first(
            client, pod, PodTrouble.runs(pod) ? OF_CONTAINERS : BEFORE_CONTAINERS)
        .map(said -> with(pod, said))
        .orElse(pod);
  }

  /** Why a claim is not bound, as Events tell, with the next action. */
  public static Optional<String> ofClaim(KubernetesClient client, HasMetadata claim) {
    return FailureEvents.first(client, claim, OF_CLAIMS)
        .map(
            said ->
                "%s: %s%s"
                    .formatted(
                        said.reason(),
                        said.message(),
                        PodRemedy.of(said.reason()).map(action -> "; " + action).orElse("")));
  }

  static Pod with(Pod pod, FailureEvents.Said said) {
    PodCondition condition = new PodCondition();
    condition.setType(CONDITION);
    condition.setStatus("True");
    condition.setReason(said.reason());
    condition.setMessage(said.message());
    return new PodBuilder(pod).editOrNewStatus().addToConditions(condition).endStatus().build();
  }

  /** Whether a node has had the pod for long enough, and its status does not say what it lacks. */
  static boolean standsStill(Pod pod, Instant now) {
    if (pod.getMetadata().getDeletionTimestamp() != null
        || pod.getStatus() == null
        || pod.getStatus().getStartTime() == null
        || !PodTrouble.isUnready(pod)
        || PodTrouble.of(pod, Optional.empty()).isPresent()) {
      return false;
    }
    Duration age = Duration.between(Instant.parse(pod.getStatus().getStartTime()), now);
    return age.compareTo(PodTrouble.runs(pod) ? RUNNING : STARTING) >= 0;
  }
}
