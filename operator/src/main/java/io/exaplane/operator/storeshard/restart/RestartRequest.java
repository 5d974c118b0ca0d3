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

  /** On a pod that took an image in place: how often its container had restarted before. */
  public static final String RESTARTS_BEFORE = "exaplane.io/restarts-before-image";

  private static final String REVISION_LABEL = "controller-revision-hash";

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
            .filter(any -> runs(set.get(), any))
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
    boolean inPlace = "OnDelete".equals(set.getSpec().getUpdateStrategy().getType());
    return (inPlace || isOfItsRevision(set, pod)) && runs(set, pod);
  }

  private static boolean isOfItsRevision(StatefulSet set, Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return set.getStatus() != null
        && set.getStatus().getUpdateRevision() != null
        && Objects.equals(
            set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        && labels != null
        && set.getStatus().getUpdateRevision().equals(labels.get(REVISION_LABEL));
  }

  /** The image that a StatefulSet's pods are made with. */
  public static String image(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  private static boolean runs(StatefulSet set, Pod pod) {
    String image = image(set);
    Container container = pod.getSpec().getContainers().getFirst();
    return container.getImage().equals(image)
        && status(pod)
            .filter(ContainerStatus::getReady)
            .filter(
                status ->
                    isOf(status, image) || wasMadeWith(set, pod) || hasRestartedFor(pod, status))
            .isPresent();
  }

  private static Optional<ContainerStatus> status(Pod pod) {
    String name = pod.getSpec().getContainers().getFirst().getName();
    return pod.getStatus() == null
        ? Optional.empty()
        : pod.getStatus().getContainerStatuses().stream()
            .filter(status -> status.getName().equals(name))
            .findFirst();
  }

  /**
   * Whether the container had the image from the beginning. What the runtime says does not count: a
   * node may know one image by several tags, and the runtime names any of them.
   */
  private static boolean wasMadeWith(StatefulSet set, Pod pod) {
    return isOfItsRevision(set, pod) && annotation(pod.getMetadata(), RESTARTS_BEFORE) == null;
  }

  /** Whether the container began anew since it got the image in place. */
  private static boolean hasRestartedFor(Pod pod, ContainerStatus status) {
    String before = annotation(pod.getMetadata(), RESTARTS_BEFORE);
    return before != null
        && before.matches("\\d{1,9}")
        && status.getRestartCount() > Integer.parseInt(before);
  }

  /** How often the store's container has restarted, for {@link #RESTARTS_BEFORE}. */
  public static String restarts(Pod pod) {
    return String.valueOf(status(pod).map(ContainerStatus::getRestartCount).orElse(0));
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
    return annotation(metadata, ANNOTATION);
  }

  private static String annotation(ObjectMeta metadata, String name) {
    Map<String, String> annotations = metadata == null ? null : metadata.getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }
}
