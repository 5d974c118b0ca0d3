// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Control planes that are sized, and what the cluster shows of them. */
public final class Sizes {
  static final NodeCapacity SMALL = new NodeCapacity(2, 8L << 30);

  static final NodeCapacity LARGE = new NodeCapacity(128, 1L << 40);

  static ControlPlane spec(int nodes) {
    return Fixtures.controlPlane("{version: 1.36.3, maxNodes: %d}".formatted(nodes));
  }

  /** One that runs, without its stores. */
  public static Sized sized(ControlPlane controlPlane) {
    return made(controlPlane, List.of());
  }

  static Sized made(ControlPlane controlPlane, List<StoreShard> shards) {
    return sized(controlPlane, shards, Map.of(), () -> List.of(LARGE));
  }

  static Sized sized(
      ControlPlane controlPlane,
      List<StoreShard> shards,
      Map<Component, Container> running,
      Supplier<Collection<NodeCapacity>> nodes) {
    return Sized.of(
        controlPlane,
        true,
        false,
        new Sized.Before(
            shards, running, Optional.empty(), Optional.empty(), nodes, Optional::empty),
        Instant.EPOCH);
  }

  static StoreShard shard(String ownerUid, String routes) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(
        new ObjectMetaBuilder()
            .withName("demo-default")
            .withAnnotations(routes == null ? null : Map.of(StoreNames.ROUTES_ANNOTATION, routes))
            .addNewOwnerReference()
            .withUid(ownerUid)
            .withKind("ControlPlane")
            .withName("demo")
            .endOwnerReference()
            .build());
    return shard;
  }

  static List<StoreShard> shards(Sized sized) {
    StorageSpec storage = sized.controlPlane().spec().storage();
    return StorageSpec.stores(storage).stream()
        .map(
            store -> {
              StoreShard shard = shard("u", StorePlan.text(storage));
              shard.getMetadata().setName("demo-" + store.name());
              shard.setSpec(shardSpec(store.resources()));
              return shard;
            })
        .toList();
  }

  public static StoreShardSpec shardSpec(ResourceRequirements resources) {
    return new StoreShardSpec(
        null, null, null, null, null, resources, null, null, null, null, null, null);
  }

  /** What runs of a control plane, as it comes back from the API server. */
  static Map<Component, Container> running(Sized sized) {
    KubernetesSerialization cluster = new KubernetesSerialization();
    Map<Component, Container> containers = new EnumMap<>(Component.class);
    sized
        .controllers()
        .forEach(
            (component, resources) ->
                containers.put(component, new ContainerBuilder().withResources(resources).build()));
    ApiServerResources apiServer = sized.apiServer().orElseThrow();
    ContainerBuilder container =
        new ContainerBuilder().withResources(apiServer.container().orElse(null));
    apiServer
        .environment()
        .forEach((name, value) -> container.addNewEnv().withName(name).withValue(value).endEnv());
    containers.put(Component.KUBE_APISERVER, container.build());
    containers.replaceAll((_, made) -> cluster.clone(made));
    return containers;
  }

  static List<String> routes(Sized sized) {
    return StorageSpec.routes(sized.controlPlane().spec().storage()).stream()
        .map(StoreRoute::store)
        .toList();
  }

  private Sizes() {}
}
