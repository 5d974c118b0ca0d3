// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.render.Images;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/** Makes the StatefulSet of an etcd of one member. Pure. */
final class EtcdStatefulSet {
  /** What Kubernetes documents as etcd's suggested maximum. */
  private static final long QUOTA_BYTES = 8L << 30;

  private static final long LOG_BYTES = 512L << 20;

  private EtcdStatefulSet() {}

  /**
   * The StatefulSet. A store keeps the version that it has: a new operator alone must not restart
   * it.
   */
  static StatefulSet render(StoreShard shard, Images images, Optional<StatefulSet> existing) {
    String image = images.etcd(StorePod.image(existing));
    return StorePod.set(shard, images, container(shard, image));
  }

  private static Container container(StoreShard shard, String image) {
    String name = shard.getMetadata().getName();
    String peer = "http://[::1]:2380";
    return StorePod.container()
        .withName("etcd")
        .withImage(image)
        .withCommand(
            "etcd",
            "--name=" + name,
            "--data-dir=/data/etcd",
            "--listen-client-urls=https://[::]:" + StoreService.CLIENT_PORT,
            "--advertise-client-urls=https://" + name + ":" + StoreService.CLIENT_PORT,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + name + "=" + peer,
            "--listen-metrics-urls=http://[::]:" + StoreService.METRICS_PORT,
            "--client-cert-auth=true",
            "--trusted-ca-file=/tls/ca.crt",
            "--cert-file=/tls/tls.crt",
            "--key-file=/tls/tls.key",
            "--quota-backend-bytes=" + quotaBytes(shard),
            "--watch-progress-notify-interval=5s")
        .withResources(
            shard.getSpec().resources() == null ? requests() : shard.getSpec().resources())
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

  private static ResourceRequirements requests() {
    return new ResourceRequirementsBuilder()
        .addToRequests("cpu", new Quantity("50m"))
        .addToRequests("memory", new Quantity("128Mi"))
        .build();
  }
}
