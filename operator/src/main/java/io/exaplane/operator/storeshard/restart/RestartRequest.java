// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.restart;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code spec.restartedAt} of a store: another value replaces what its pod was made with, once. A
 * pod whose data would go with the pod is not replaced; its container takes the new image in place.
 * Pure.
 */
public final class RestartRequest {
  /** On a pod: the request that it has carried out. */
  public static final String ANNOTATION = "exaplane.io/restarted-at";

  private RestartRequest() {}

  /** Whether the StatefulSet does not know of the request yet. */
  public static boolean isNew(StoreShard shard, StatefulSet set) {
    String asked = shard.getSpec().restartedAt();
    return asked != null && !asked.equals(annotation(set.getSpec().getTemplate().getMetadata()));
  }

  /** Whether the pod runs what the request was for; true without one. */
  public static boolean isDone(StoreShard shard, Optional<StatefulSet> set, Optional<Pod> pod) {
    String asked = shard.getSpec().restartedAt();
    if (asked == null) {
      return true;
    }
    return set.filter(any -> !isNew(shard, any)).isPresent()
        && pod.filter(any -> asked.equals(annotation(any.getMetadata())))
            .filter(any -> runs(any, image(set.get())))
            .isPresent();
  }

  /**
   * The image that a pod takes up in place: one that its StatefulSet does not replace, since its
   * data would go with it, and that has not carried out the request.
   *
   * @param moves whether the pod takes what a new operator has, without a request to restart
   */
  public static Optional<String> inPlace(
      StoreShard shard, boolean moves, Optional<StatefulSet> set, Optional<Pod> pod) {
    String asked = shard.getSpec().restartedAt();
    return set.filter(any -> asked != null || moves)
        .filter(any -> "OnDelete".equals(any.getSpec().getUpdateStrategy().getType()))
        .filter(any -> !isNew(shard, any))
        .filter(_ -> pod.isPresent())
        .filter(
            any ->
                asked != null && !asked.equals(annotation(pod.get().getMetadata()))
                    || moves && !image(any).equals(image(pod.get())))
        .map(RestartRequest::image);
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getImage();
  }

  /**
   * Whether the pod is made of what its StatefulSet says now: in place of one whose data would go
   * with the pod, the image is all that is taken up.
   */
  public static boolean isTakenUp(StatefulSet set, Pod pod) {
    if ("OnDelete".equals(set.getSpec().getUpdateStrategy().getType())) {
      return image(set).equals(image(pod)) && runs(pod, image(set));
    }
    return set.getStatus() != null
        && Objects.equals(
            set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        && Objects.equals(
            set.getStatus().getUpdateRevision(),
            pod.getMetadata().getLabels().get("controller-revision-hash"))
        && runs(pod, image(set));
  }

  /** The image that a StatefulSet's pods are made with. */
  public static String image(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  private static boolean runs(Pod pod, String image) {
    Container container = pod.getSpec().getContainers().getFirst();
    return container.getImage().equals(image)
        && pod.getStatus() != null
        && pod.getStatus().getContainerStatuses().stream()
            .filter(status -> status.getName().equals(container.getName()))
            .filter(status -> isOf(status, image))
            .anyMatch(ContainerStatus::getReady);
  }

  /**
   * Runtimes name an image as they like: with another registry, without the digest that was asked
   * for, or with the digest alone.
   */
  private static boolean isOf(ContainerStatus status, String image) {
    String digest = image.substring(image.indexOf('@') + 1);
    boolean hasDigest = digest.length() < image.length();
    return hasDigest
            && Stream.of(status.getImageID(), status.getImage())
                .anyMatch(named -> named != null && named.endsWith("@" + digest))
        || (!hasDigest || !Images.tagOf(image).isEmpty())
            && Images.tagOf(image).equals(tag(status.getImage()));
  }

  private static String tag(String image) {
    return image == null ? "" : Images.tagOf(image);
  }

  private static String annotation(ObjectMeta metadata) {
    Map<String, String> annotations = metadata == null ? null : metadata.getAnnotations();
    return annotations == null ? null : annotations.get(ANNOTATION);
  }
}
