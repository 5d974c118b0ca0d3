// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.pod.PodContainers;
import io.exaplane.operator.pod.PodFrame;
import io.exaplane.operator.pod.PodProbes;
import io.exaplane.operator.pod.PodVolumes;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.data.GuardReport;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.exaplane.operator.wait.VolumeGuard;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the StatefulSets of all engines have in common: one pod, its volume, its certificate, its
 * probes. It has no liveness probe: killing a slow store makes it slower (etcd-druid#1361). Pure.
 */
final class StorePod {
  static final String DATA = "/data";

  private final StoreShard shard;
  private final Images images;
  private final Optional<StatefulSet> existing;
  private final boolean persistent;

  /**
   * For one store.
   *
   * @param existing its StatefulSet as it is, if it is
   */
  StorePod(StoreShard shard, Images images, Optional<StatefulSet> existing) {
    this.shard = shard;
    this.images = images;
    this.existing = existing;
    this.persistent = StoreNames.isPersistent(shard, existing);
  }

  /** A container with what every engine's has; the rest is the engine's. */
  static ContainerBuilder container(String image) {
    return PodContainers.of(image)
        .addNewPort()
        .withName("client")
        .withContainerPort(StoreService.CLIENT_PORT)
        .withProtocol("TCP")
        .endPort()
        .addNewPort()
        .withName("metrics")
        .withContainerPort(StoreService.METRICS_PORT)
        .withProtocol("TCP")
        .endPort()
        .withStartupProbe(readiness(2, 300))
        .withReadinessProbe(readiness(3, 3))
        .withVolumeMounts(data(), PodVolumes.readOnly("tls", "/tls"));
  }

  /**
   * The StatefulSet around an engine's container.
   *
   * @param contents folder of the engine's files
   * @param checks what has to end well before the engine starts on a volume that was there before
   */
  StatefulSet set(
      Container container, String contents, StorePlacement placement, List<Container> checks) {
    // What a store says when it refuses its files is for the conditions.
    container.setTerminationMessagePolicy(PodContainers.LAST_WORDS);
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(shard.getMetadata().getName())
        .withNamespace(shard.getMetadata().getNamespace())
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .withServiceName(shard.getMetadata().getName())
        .withPodManagementPolicy("Parallel")
        .withNewUpdateStrategy()
        .withType(StoreNames.dataGoesWithPod(shard, existing) ? "OnDelete" : "RollingUpdate")
        .endUpdateStrategy()
        .withNewPersistentVolumeClaimRetentionPolicy()
        // Whoever deletes a StatefulSet deletes no store: ClaimOwner says when the claim goes.
        .withWhenDeleted("Retain")
        .withWhenScaled("Retain")
        .endPersistentVolumeClaimRetentionPolicy()
        .withNewSelector()
        .withMatchLabels(StoreNames.selector(shard))
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(StoreNames.labels(shard))
        .withAnnotations(annotations())
        .endMetadata()
        .withSpec(pod(container, placement, first(container, contents, checks)))
        .endTemplate()
        .withVolumeClaimTemplates(persistent ? List.of(claim()) : List.of())
        .endSpec()
        .build();
  }

  private List<Container> first(Container container, String contents, List<Container> checks) {
    List<Container> first = new ArrayList<>();
    if (StoreNames.isCritical(shard)) {
      // A Critical store starts on its own data only.
      first.add(guard(container, contents));
    }
    if (persistent) {
      first.addAll(checks);
    }
    return first;
  }

  private PodSpec pod(Container container, StorePlacement placement, List<Container> first) {
    PodSpecBuilder pod =
        PodFrame.of(images.pullSecrets(), 30)
            .withInitContainers(first)
            .withPriorityClassName(placement.priorityClass())
            .withTolerations(placement.tolerations())
            .addToContainers(container)
            .addToVolumes(PodVolumes.secret("tls", shard.getSpec().tls().secretRef().name()));
    if (!persistent) {
      VolumeSpec volume = shard.getSpec().storage();
      pod.addNewVolume()
          .withName("data")
          .withNewEmptyDir()
          .withSizeLimit(Quantities.canonical(volume == null ? null : volume.size()))
          .endEmptyDir()
          .endVolume();
    }
    return pod.build();
  }

  private Map<String, String> annotations() {
    String asked = shard.getSpec().restartedAt();
    return asked == null ? Map.of() : Map.of(RestartRequest.ANNOTATION, asked);
  }

  /** It takes what the store does: more would count against the node, less would be in its way. */
  private Container guard(Container store, String contents) {
    return PodContainers.first(
            GuardReport.CONTAINER,
            images.operator(),
            VolumeGuard.class,
            List.of("--volume", DATA, "--contents", contents))
        .addNewEnv()
        .withName(VolumeGuard.EXPECTED)
        .withNewValueFrom()
        .withNewConfigMapKeyRef(StoreRecord.EXPECTED_DATA, StoreRecord.name(shard), false)
        .endValueFrom()
        .endEnv()
        .withResources(store.getResources())
        .withVolumeMounts(data())
        .build();
  }

  private static VolumeMount data() {
    return PodVolumes.writable("data", DATA);
  }

  private static Probe readiness(int periodSeconds, int failures) {
    return PodProbes.paced(PodProbes.http("/readyz", "metrics"), periodSeconds, failures, 5);
  }

  private PersistentVolumeClaim claim() {
    VolumeSpec volume = shard.getSpec().storage();
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data")
        .withLabels(StoreNames.labelsWithOwner(shard))
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName(volume == null ? null : volume.storageClassName())
        .withNewResources()
        .addToRequests(
            "storage",
            existing
                // It can't be changed; a claim that is to grow is changed itself.
                .flatMap(ClaimGrowth::template)
                .orElseGet(
                    () ->
                        Quantities.canonical(
                            volume == null || volume.size() == null
                                ? VolumeSpec.DEFAULT_CLAIM
                                : volume.size())))
        .endResources()
        .endSpec()
        .build();
  }
}
