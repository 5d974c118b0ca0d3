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
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Makes the StatefulSet of an etcd of one member. Pure. It has no liveness probe: killing a slow
 * store makes it slower (etcd-druid#1361).
 */
final class EtcdStatefulSet {
  private static final int SECRET_MODE = 0440;
  private static final int METRICS_PORT = 2381;

  /** What Kubernetes documents as etcd's suggested maximum. */
  private static final long QUOTA_BYTES = 8L << 30;

  private static final long LOG_BYTES = 512L << 20;

  private EtcdStatefulSet() {}

  /**
   * The StatefulSet. A store keeps the version that it has: a new operator alone must not restart
   * it.
   */
  static StatefulSet render(StoreShard shard, Images images, Optional<StatefulSet> existing) {
    String image =
        images.etcd(
            existing.map(
                s -> s.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage()));
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
        .withSpec(pod(shard, images, image, persistent))
        .endTemplate()
        .withVolumeClaimTemplates(persistent ? List.of(claim(shard)) : List.of())
        .endSpec()
        .build();
  }

  private static PodSpec pod(StoreShard shard, Images images, String image, boolean persistent) {
    PodSpecBuilder pod =
        new PodSpecBuilder()
            .withAutomountServiceAccountToken(false)
            .withEnableServiceLinks(false)
            .withTerminationGracePeriodSeconds(30L)
            .withImagePullSecrets(images.pullSecrets())
            .withSecurityContext(PodSecurity.pod())
            .addToContainers(container(shard, image))
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

  private static Container container(StoreShard shard, String image) {
    String name = shard.getMetadata().getName();
    String peer = "http://[::1]:2380";
    return new ContainerBuilder()
        .withName("etcd")
        .withImage(image)
        .withImagePullPolicy("IfNotPresent")
        .withCommand(
            "etcd",
            "--name=" + name,
            "--data-dir=/data/etcd",
            "--listen-client-urls=https://[::]:" + StoreService.CLIENT_PORT,
            "--advertise-client-urls=https://" + name + ":" + StoreService.CLIENT_PORT,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + name + "=" + peer,
            "--listen-metrics-urls=http://[::]:" + METRICS_PORT,
            "--client-cert-auth=true",
            "--trusted-ca-file=/tls/ca.crt",
            "--cert-file=/tls/tls.crt",
            "--key-file=/tls/tls.key",
            "--quota-backend-bytes=" + quotaBytes(shard),
            "--watch-progress-notify-interval=5s")
        .withResources(
            shard.getSpec().resources() == null ? requests() : shard.getSpec().resources())
        .withSecurityContext(PodSecurity.container())
        .addNewPort()
        .withName("client")
        .withContainerPort(StoreService.CLIENT_PORT)
        .withProtocol("TCP")
        .endPort()
        .addNewPort()
        .withName("metrics")
        .withContainerPort(METRICS_PORT)
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
        .endVolumeMount()
        .build();
  }

  /**
   * Below the volume's size by what etcd's write-ahead log takes (five files of 64 MB and the one
   * that is preallocated), so that it raises its alarm before the disk is full.
   */
  private static long quotaBytes(StoreShard shard) {
    VolumeSpec volume = shard.getSpec().storage();
    if (volume == null || volume.size() == null) {
      return QUOTA_BYTES;
    }
    long size = volume.size().getNumericalAmount().longValue();
    return Math.min(QUOTA_BYTES, size - LOG_BYTES);
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

  private static ResourceRequirements requests() {
    return new ResourceRequirementsBuilder()
        .addToRequests("cpu", new Quantity("50m"))
        .addToRequests("memory", new Quantity("128Mi"))
        .build();
  }
}
