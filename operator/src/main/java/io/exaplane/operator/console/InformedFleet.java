// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.LiveLists;
import io.exaplane.operator.controlplane.hosted.MemoryProbe;
import io.exaplane.operator.controlplane.sizing.TuningReport;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.schedulerpool.hosted.LiveTree;
import io.exaplane.operator.schedulerpool.hosted.PoolProbe;
import io.exaplane.operator.storeshard.usage.LiveStore;
import io.exaplane.operator.storeshard.usage.StoreProbe;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.Controller;
import java.util.Optional;
import java.util.stream.Stream;

/** The caches of the reconcilers' informers, which a standby has, too. Thread-safe. */
final class InformedFleet implements Fleet {
  private final Operator operator;
  private final StoreProbe stores;
  private final PoolProbe pools;
  private final MemoryProbe servers;

  InformedFleet(Operator operator, StoreProbe stores, PoolProbe pools, MemoryProbe servers) {
    this.operator = operator;
    this.stores = stores;
    this.pools = pools;
    this.servers = servers;
  }

  @Override
  public Stream<ControlPlane> planes() {
    return all(ControlPlane.class);
  }

  @Override
  public Stream<StoreShard> stores() {
    return all(StoreShard.class);
  }

  @Override
  public Stream<SchedulerPool> schedulers() {
    return all(SchedulerPool.class);
  }

  @Override
  public Stream<NodePool> nodePools() {
    return all(NodePool.class);
  }

  @Override
  public Stream<ControlPlaneTask> tasks() {
    return all(ControlPlaneTask.class);
  }

  @Override
  public Optional<String> tuning(ControlPlane plane) {
    String name = new ControlPlaneNames(plane).tuning();
    return controller(ControlPlane.class).stream()
        .flatMap(
            controller ->
                controller.getEventSourceManager().getEventSourcesFor(ConfigMap.class).stream())
        .flatMap(source -> source.getSecondaryResources(plane).stream())
        .filter(map -> map.getMetadata().getName().equals(name) && map.getData() != null)
        .map(map -> map.getData().get(TuningReport.TUNING))
        .filter(text -> text != null)
        .findFirst();
  }

  @Override
  public Optional<LiveStore> live(StoreShard store) {
    return stores.live(store.getMetadata().getUid());
  }

  @Override
  public Optional<LiveTree> tree(SchedulerPool pool) {
    return pools.live(pool.getMetadata().getUid());
  }

  @Override
  public Optional<LiveLists> lists(ControlPlane plane) {
    return servers.lists(plane.getMetadata().getUid());
  }

  /** Nothing before the informers run. */
  private <P extends HasMetadata> Stream<P> all(Class<P> type) {
    return controller(type).stream()
        .flatMap(
            controller -> controller.getEventSourceManager().getControllerEventSource().list());
  }

  @SuppressWarnings("unchecked")
  private <P extends HasMetadata> Optional<Controller<P>> controller(Class<P> type) {
    return !operator.getRuntimeInfo().isStarted()
        ? Optional.empty()
        : operator.getRuntimeInfo().getRegisteredControllers().stream()
            .filter(each -> each.getConfiguration().getResourceClass().equals(type))
            .map(each -> (Controller<P>) each)
            .findFirst();
  }
}
