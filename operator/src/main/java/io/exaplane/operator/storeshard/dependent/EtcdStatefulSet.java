// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.PodContainers;
import io.exaplane.operator.pod.PodVolumes;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the StatefulSet of an etcd of one member. Pure. */
final class EtcdStatefulSet {
  /** The container that says what has to be done before an etcd starts on its folder. */
  static final String CHECK = "etcd-check";

  private static final String FOLDER = StorePod.DATA + "/etcd";

  private EtcdStatefulSet() {}

  /**
   * The StatefulSet, as this operator makes a new one.
   *
   * @param hasClass whether the priority class of Critical stores is there
   */
  static StatefulSet render(
      StoreShard shard, Images images, Optional<StatefulSet> existing, boolean hasClass) {
    Container container = container(shard, images.etcd());
    return new StorePod(shard, images, existing)
        .set(
            container,
            FOLDER,
            StorePlacement.of(shard, existing, hasClass),
            List.of(check(container, images)));
  }

  private static Container container(StoreShard shard, String image) {
    return StorePod.container(image)
        .withName("etcd")
        .withCommand(command(shard))
        .withResources(
            ContainerLimits.complete(
                shard.getSpec().resources() == null
                    ? ContainerLimits.unknown()
                    : shard.getSpec().resources()))
        .build();
  }

  /**
   * etcd of one version ends with a panic, or refuses to start, on some folders of another one. The
   * check is our store's, since etcd's own image has no such program; what it says last is for the
   * conditions.
   */
  private static Container check(Container etcd, Images images) {
    return PodContainers.of(images.store())
        .withName(CHECK)
        .withArgs(CHECK, "--before-start", "--for=" + Images.tagOf(etcd.getImage()), FOLDER)
        .withTerminationMessagePolicy(PodContainers.LAST_WORDS)
        .withResources(etcd.getResources())
        .withVolumeMounts(PodVolumes.readOnly("data", StorePod.DATA))
        .build();
  }

  private static List<String> command(StoreShard shard) {
    String name = shard.getMetadata().getName();
    String peer = "http://[::1]:2380";
    List<String> command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + FOLDER,
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
                "--quota-backend-bytes=" + VolumeSpec.etcdQuotaBytes(shard.getSpec().storage()),
                "--watch-progress-notify-interval=5s",
                // The gateway shows the server's certificate as a client's, which it is not.
                "--enable-grpc-gateway=false"));
    command.addAll(ClientRules.etcdFlags(shard));
    return command;
  }
}
