// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.api.v1alpha1.VolumeType;
import io.exaplane.operator.controlplane.render.Images;
import io.exaplane.operator.controlplane.render.PodSecurity;
import io.exaplane.operator.storeshard.StoreNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.List;
import java.util.Optional;

/**
 * What the StatefulSets of all engines have in common: one pod, its volume, its certificate, its
 * probes. It has no liveness probe: killing a slow store makes it slower (etcd-druid#1361). Pure.
 */
final class StorePod {
  private static final int SECRET_MODE = 0440;

  private StorePod() {}

  /** The image that a store runs now. */
  static Optional<String> image(Optional<StatefulSet> existing) {
    return existing.map(
        s -> s.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage());
  }

  /** A container with what every engine's has; the rest is the engine's. */
  static ContainerBuilder container() {
    return new ContainerBuilder()
        .withImagePullPolicy("IfNotPresent")
        .withSecurityContext(PodSecurity.container())
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
        .addNewVolumeMount()
        .withName("data")
        .withMountPath("/data")
        .endVolumeMount()
        .addNewVolumeMount()
        .withName("tls")
        .withMountPath("/tls")
        .withReadOnly(true)
        .endVolumeMount();
  }

  static StatefulSet set(StoreShard shard, Images images, Container container) {
    boolean persistent = VolumeSpec.type(shard.getSpec().storage()) == VolumeType.PersistentVolume;
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
        .withType(StoreNames.dataGoesWithPod(shard) ? "OnDelete" : "RollingUpdate")
        .endUpdateStrategy()
        .withNewPersistentVolumeClaimRetentionPolicy()
        .withWhenDeleted("Delete")
        .withWhenScaled("Retain")
        .endPersistentVolumeClaimRetentionPolicy()
        .withNewSelector()
        .withMatchLabels(StoreNames.selector(shard))
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(StoreNames.labels(shard))
        .endMetadata()
        .withSpec(pod(shard, images, container, persistent))
        .endTemplate()
        .withVolumeClaimTemplates(persistent ? List.of(claim(shard)) : List.of())
        .endSpec()
        .build();
  }

  private static PodSpec pod(
      StoreShard shard, Images images, Container container, boolean persistent) {
    PodSpecBuilder pod =
        new PodSpecBuilder()
            .withAutomountServiceAccountToken(false)
            .withEnableServiceLinks(false)
            .withTerminationGracePeriodSeconds(30L)
            .withImagePullSecrets(images.pullSecrets())
            .withSecurityContext(PodSecurity.pod())
            .addToContainers(container)
            .addNewVolume()
            .withName("tls")
            .withNewSecret()
            .withSecretName(shard.getSpec().tls().secretRef().name())
            .withDefaultMode(SECRET_MODE)
            .endSecret()
            .endVolume();
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

  private static Probe readiness(int periodSeconds, int failures) {
    return new ProbeBuilder()
        .withNewHttpGet()
        .withPath("/readyz")
        .withPort(new IntOrString("metrics"))
        .withScheme("HTTP")
        .endHttpGet()
        .withPeriodSeconds(periodSeconds)
        .withFailureThreshold(failures)
        .withTimeoutSeconds(5)
        .build();
  }

  private static PersistentVolumeClaim claim(StoreShard shard) {
    VolumeSpec volume = shard.getSpec().storage();
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data")
        .withLabels(StoreNames.labelsWithOwner(shard))
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName(volume.storageClassName())
        .withNewResources()
        .addToRequests(
            "storage",
            Quantities.canonical(volume.size() == null ? VolumeSpec.DEFAULT_CLAIM : volume.size()))
        .endResources()
        .endSpec()
        .build();
  }
}
