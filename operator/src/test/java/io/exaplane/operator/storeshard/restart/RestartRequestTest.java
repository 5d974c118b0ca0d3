// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartRequestTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // asked, template, pod: annotation, image and what it runs, ready | done
        "-,  -,  -,  store:1, store:1, true,  true",
        "t1, -,  -,  store:1, store:1, true,  false",
        "t1, t1, -,  store:1, store:1, true,  false",
        "t1, t1, t1, store:1, store:1, true,  false",
        "t1, t1, t1, store:2, store:1, true,  false",
        "t1, t1, t1, store:2, store:2, false, false",
        "t1, t1, t1, store:2, store:2, true,  true",
        "t1, t1, t1, store:2, registry.local/store:2, true, true",
        "t2, t1, t1, store:2, store:2, true,  false",
      })
  void itIsDoneWhenThePodRunsWhatWasAskedFor(
      String asked,
      String template,
      String pod,
      String image,
      String runs,
      boolean ready,
      boolean done) {
    assertThat(
            RestartRequest.isDone(
                shard(asked), set("RollingUpdate", template), pod(pod, image, runs, ready)))
        .isEqualTo(done);
  }

  /** As containerd names an image that was asked for by digest, and as other runtimes may. */
  @ParameterizedTest
  @CsvSource(
      value = {
        // asked for; what runs; its id | is that it
        "r/store:2@sha256:aa, r/store:2,         r/store@sha256:aa,              true",
        "r/store:2@sha256:aa, sha256:cc,         r/store@sha256:aa,              true",
        "r/store:2@sha256:aa, r/store:2,         sha256:cc,                      true",
        "r/store:2@sha256:aa, r/store:1,         r/store@sha256:bb,              false",
        "r/store:2@sha256:aa, sha256:cc,         sha256:cc,                      false",
        "r/store@sha256:aa,   r/store@sha256:aa, sha256:cc,                      true",
        "r/store@sha256:aa,   sha256:cc,         docker-pullable://r/store@sha256:aa, true",
        "r/store@sha256:aa,   sha256:cc,         r/store@sha256:bb,              false",
        "r/store@sha256:aa,   r/store:1,         r/store@sha256:bb,              false",
        "h:5000/store,        h:5000/store,      sha256:cc,                      true",
      })
  void anImageByDigestIsTakenUp(String image, String runs, String id, boolean takenUp) {
    StatefulSet set = set("OnDelete", null).orElseThrow();
    set.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
    Pod pod = pod(null, image, runs, true).orElseThrow();
    pod.getStatus().getContainerStatuses().getFirst().setImageID(id);
    assertThat(RestartRequest.isTakenUp(set, pod)).isEqualTo(takenUp);
  }

  /** A node that knows an image by two tags names any of them. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // strategy, revision of the pod, restarts before the image, restarts now, ready | taken up
        "RollingUpdate, s-2, -, 0, true,  true",
        "RollingUpdate, s-2, -, 0, false, false",
        "RollingUpdate, s-1, -, 0, true,  false",
        "OnDelete,      s-2, -, 0, true,  true",
        "OnDelete,      s-1, -, 0, true,  false",
        "OnDelete,      s-1, 0, 0, true,  false",
        "OnDelete,      s-1, 3, 3, true,  false",
        "OnDelete,      s-1, 3, 4, true,  true",
        "OnDelete,      s-1, 3, 4, false, false",
        // The template went back to the revision with which the pod was made.
        "OnDelete,      s-2, 3, 3, true,  false",
        "OnDelete,      s-1, x, 4, true,  false",
      })
  void theOtherTagOfAnImageIsTakenUp(
      String strategy, String revision, String before, int restarts, boolean ready, boolean taken) {
    StatefulSet set = set(strategy, null).orElseThrow();
    set.getMetadata().setGeneration(2L);
    set.setStatus(
        new StatefulSetStatusBuilder()
            .withObservedGeneration(2L)
            .withUpdateRevision("s-2")
            .build());
    Pod pod = pod(null, "store:2", "mirror/store:same", ready).orElseThrow();
    pod.getMetadata().setLabels(Map.of("controller-revision-hash", revision));
    pod.getStatus().getContainerStatuses().getFirst().setRestartCount(restarts);
    if (before != null) {
      pod.getMetadata().setAnnotations(Map.of(RestartRequest.RESTARTS_BEFORE, before));
    }
    assertThat(RestartRequest.isTakenUp(set, pod)).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "OnDelete,      t1, t1, -,  store:2",
        "OnDelete,      t1, t1, t0, store:2",
        "OnDelete,      t1, t1, t1, -",
        "OnDelete,      t1, t0, -,  -",
        "OnDelete,      -,  -,  -,  -",
        "RollingUpdate, t1, t1, -,  -",
      })
  void onlyAPodWhoseDataWouldGoTakesTheImageInPlace(
      String strategy, String asked, String template, String pod, String image) {
    assertThat(
            RestartRequest.inPlace(
                shard(asked), false, set(strategy, template), pod(pod, "store:1", "store:1", true)))
        .isEqualTo(Optional.ofNullable(image));
  }

  @Test
  void withoutAPodNothingIsDone() {
    assertThat(RestartRequest.isDone(shard("t1"), set("OnDelete", "t1"), Optional.empty()))
        .isFalse();
    assertThat(RestartRequest.inPlace(shard("t1"), false, set("OnDelete", "t1"), Optional.empty()))
        .isEmpty();
    assertThat(RestartRequest.isDone(shard("t1"), Optional.empty(), Optional.empty())).isFalse();
  }

  private static StoreShard shard(String asked) {
    return Serialization.unmarshal(
        "apiVersion: exaplane.io/v1alpha1\nkind: StoreShard\nmetadata: {name: s}\nspec: {tls: {secretRef: {name: t}}%s}\n"
            .formatted(asked == null ? "" : ", restartedAt: " + asked),
        StoreShard.class);
  }

  private static Optional<StatefulSet> set(String strategy, String annotation) {
    return Optional.of(
        Serialization.unmarshal(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {updateStrategy: {type: %s}, template: {metadata: {annotations: {%s}}, spec: {containers: [{name: store, image: 'store:2'}]}}}\n"
                .formatted(strategy, annotation(annotation)),
            StatefulSet.class));
  }

  private static Optional<Pod> pod(String annotation, String image, String runs, boolean ready) {
    return Optional.of(
        Serialization.unmarshal(
            "apiVersion: v1\nkind: Pod\nmetadata: {name: s-0, annotations: {%s}}\nspec: {containers: [{name: store, image: '%s'}]}\nstatus: {containerStatuses: [{name: store, image: '%s', imageID: i, ready: %s, restartCount: 0}]}\n"
                .formatted(annotation(annotation), image, runs, ready),
            Pod.class));
  }

  private static String annotation(String value) {
    return value == null ? "" : RestartRequest.ANNOTATION + ": " + value;
  }
}
