// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rollout;

import io.exaplane.operator.status.Words;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads how far a component's Deployment is. Pure. */
public final class Rollout {
  /** On pods of a component: the identity of the stores' data that it was started on. */
  public static final String DATA_EPOCH = "exaplane.io/store-data";

  /** On pods that are replaced for a certificate: of which one. */
  public static final String CERTIFICATE_EPOCH = "exaplane.io/certificates";

  /** On pods that are replaced for a rotation: of which steps of which keys. */
  public static final String ROTATION_EPOCH = "exaplane.io/rotation";

  /** On pods that were replaced because a task asked for that: of which one. */
  public static final String RESTARTED_AT = "exaplane.io/restarted-at";

  /**
   * On a Deployment and its ReplicaSets: the number of the template. A template that comes back has
   * a higher number than before.
   */
  public static final String REVISION = "deployment.kubernetes.io/revision";

  /** Label of pods and ReplicaSets: of which template of their Deployment. */
  public static final String TEMPLATE_HASH = "pod-template-hash";

  /**
   * As minReadySeconds of a Deployment whose pods are being replaced: for so long that no pod of it
   * is ever available.
   */
  public static final int NEVER_SECONDS = 1_000_000_000;

  private Rollout() {}

  /** Whether all replicas are of the newest template, available, and no older one is left. */
  public static boolean isComplete(Deployment deployment) {
    DeploymentStatus status = deployment.getStatus();
    int desired = deployment.getSpec().getReplicas();
    return status != null
        && Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
        && count(status.getUpdatedReplicas()) == desired
        && count(status.getReplicas()) == desired
        && count(status.getAvailableReplicas()) == desired;
  }

  private static boolean isUnseen(Deployment deployment) {
    return deployment.getStatus() != null
        && !Objects.equals(
            deployment.getStatus().getObservedGeneration(),
            deployment.getMetadata().getGeneration());
  }

  /** Whether the operator counts its new pods, and Kubernetes none: until all have settled. */
  public static boolean isHeld(Deployment deployment) {
    return count(deployment.getSpec().getMinReadySeconds()) >= NEVER_SECONDS;
  }

  /**
   * Whether pods of an older template are still being replaced, the last new ones have not settled,
   * or the newest template is not seen yet.
   */
  public static boolean isReplacingPods(Deployment deployment) {
    DeploymentStatus status = deployment.getStatus();
    return status == null
        || isHeld(deployment)
        || !Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
        || count(status.getUpdatedReplicas()) < deployment.getSpec().getReplicas()
        || count(status.getReplicas()) > count(status.getUpdatedReplicas());
  }

  /**
   * Whether a pod of the newest template has become ready: there are more ready ones than older
   * ones.
   */
  public static boolean hasStarted(Deployment deployment) {
    DeploymentStatus status = deployment.getStatus();
    return status != null
        && Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
        && count(status.getReadyReplicas())
            > count(status.getReplicas()) - count(status.getUpdatedReplicas());
  }

  /** Whether the newest template's pods have not become ready within the progress deadline. */
  public static boolean isStuck(Deployment deployment) {
    return condition(deployment, "Progressing")
        .filter(condition -> condition.getStatus().equals("False"))
        .isPresent();
  }

  /** Whether all pods of the newest template were available once. */
  private static boolean isEnded(Deployment deployment) {
    return condition(deployment, "Progressing")
        .filter(condition -> "NewReplicaSetAvailable".equals(condition.getReason()))
        .isPresent();
  }

  private static boolean lacksPods(Deployment deployment) {
    return updated(deployment) < deployment.getSpec().getReplicas();
  }

  /**
   * When the newest template last came further; long ago when it did not within the progress
   * deadline; nothing while Kubernetes has not seen the newest template, and of a rollout that had
   * ended before pods were lost.
   */
  public static Optional<Instant> lastProgress(Deployment deployment) {
    if (isUnseen(deployment) || isEnded(deployment) && lacksPods(deployment)) {
      return Optional.empty();
    }
    if (isStuck(deployment)) {
      return Optional.of(Instant.EPOCH);
    }
    return condition(deployment, "Progressing")
        .map(DeploymentCondition::getLastUpdateTime)
        .or(() -> Optional.ofNullable(deployment.getMetadata().getCreationTimestamp()))
        .map(Instant::parse);
  }

  /** Why the API server takes no pod of it: a quota, or another rule of admission. */
  public static Optional<String> refusal(Deployment deployment) {
    return condition(deployment, "ReplicaFailure")
        .filter(condition -> condition.getStatus().equals("True"))
        .map(condition -> Words.refusal(condition.getMessage()));
  }

  private static Optional<DeploymentCondition> condition(Deployment deployment, String type) {
    return deployment.getStatus() == null || deployment.getStatus().getConditions() == null
        ? Optional.empty()
        : deployment.getStatus().getConditions().stream()
            .filter(condition -> condition.getType().equals(type))
            .findFirst();
  }

  /** Replicas that exist. */
  public static int replicas(Deployment deployment) {
    return deployment.getStatus() == null ? 0 : count(deployment.getStatus().getReplicas());
  }

  /** Replicas of the newest template. */
  public static int updated(Deployment deployment) {
    return deployment.getStatus() == null ? 0 : count(deployment.getStatus().getUpdatedReplicas());
  }

  /** The Kubernetes version of the component's image. */
  public static String version(Deployment deployment) {
    String image =
        deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    return image.substring(image.lastIndexOf(":v") + 2);
  }

  /** The identity of the stores' data that the component was started on. */
  public static String dataEpoch(Deployment deployment) {
    Map<String, String> annotations =
        deployment.getSpec().getTemplate().getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(DATA_EPOCH, "");
  }

  /**
   * Whether pods that were started on data run on the data of now: stores that were added since are
   * empty, and take nothing away.
   */
  public static boolean isOnData(String startedOn, String epoch) {
    return List.of(epoch.split(",")).containsAll(List.of(startedOn.split(",")));
  }

  /** What the pods carry to be replaced when a certificate changes; "" without it. */
  public static String certificateEpoch(Deployment deployment) {
    Map<String, String> annotations =
        deployment.getSpec().getTemplate().getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(CERTIFICATE_EPOCH, "");
  }

  /** What the pods carry of the task that restarted them last; "" before any. */
  public static String restartedAt(Deployment deployment) {
    Map<String, String> annotations =
        deployment.getSpec().getTemplate().getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(RESTARTED_AT, "");
  }

  /** What the pods carry of rotations of keys; "" without one. */
  public static String rotationEpoch(Deployment deployment) {
    Map<String, String> annotations =
        deployment.getSpec().getTemplate().getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(ROTATION_EPOCH, "");
  }

  /** The number of the template of which pods are made; empty before Kubernetes has seen one. */
  public static Optional<String> revision(Deployment deployment) {
    return Optional.ofNullable(deployment.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(REVISION));
  }

  /** Ready replicas. */
  public static int ready(Deployment deployment) {
    return deployment.getStatus() == null ? 0 : count(deployment.getStatus().getReadyReplicas());
  }

  /** How many pods are ready, for people. */
  public static String readiness(Deployment deployment) {
    return "%s has %d of %d pods ready"
        .formatted(
            deployment.getMetadata().getName(),
            ready(deployment),
            deployment.getSpec().getReplicas());
  }

  /** A count, which Kubernetes leaves out when it is 0. */
  public static int count(Integer value) {
    return value == null ? 0 : value;
  }
}
