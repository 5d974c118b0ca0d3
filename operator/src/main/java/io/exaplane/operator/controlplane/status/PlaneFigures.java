// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.ApiServers;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Replicas;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Sizing;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.api.v1alpha1.SchedulerSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.Size;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The parts of a control plane's status that count: pods of components, stores that serve, and the
 * size in force. Made for one look; immutable.
 */
final class PlaneFigures {
  private final Observed observed;
  private final ControlPlaneSpec spec;
  private final ControlPlaneNames names;
  private final Optional<ControlPlaneStatus> before;

  PlaneFigures(Observed observed) {
    this.observed = observed;
    this.spec = observed.controlPlane().spec();
    this.names = new ControlPlaneNames(observed.controlPlane().asked());
    this.before = Optional.ofNullable(observed.controlPlane().asked().getStatus());
  }

  /** Each store of the spec, whether its object exists or not. */
  List<Store> stores() {
    Map<String, StoreShard> shards =
        observed.shards().stream()
            .collect(Collectors.toMap(s -> s.getMetadata().getName(), s -> s));
    return StorageSpec.stores(spec.storage()).stream()
        .map(store -> store(store, Optional.ofNullable(shards.get(names.shard(store.name())))))
        .toList();
  }

  private Store store(StoreTemplate template, Optional<StoreShard> shard) {
    return new Store(
        template.name(),
        names.shard(template.name()),
        template.effectiveCriticality(),
        shard.filter(ShardStates::isReady).isPresent(),
        shard.map(StoreShard::getStatus).map(status -> status.dataId()).orElse(null),
        StorageSpec.routes(spec.storage()).stream()
            .filter(route -> route.store().equals(template.name()))
            .map(StoreRoute::resources)
            .findFirst()
            .orElse(null));
  }

  /** kube-apiserver's pods, with the selector for the scale subresource. */
  ApiServers apiServers() {
    Replicas replicas =
        replicas(ControlPlaneNames.API_SERVER, ApiServerSpec.replicas(spec.apiServer()));
    String selector =
        names.selector(ControlPlaneNames.API_SERVER).entrySet().stream()
            .map(Objects::toString)
            .collect(Collectors.joining(","));
    return new ApiServers(
        replicas.replicas(), replicas.ready(), replicas.updated(), replicas.summary(), selector);
  }

  /** kube-scheduler's, or the roots of the pool that took its place. */
  Replicas scheduler() {
    if (!observed.scheduling().handedOver()) {
      return replicas(ControlPlaneNames.SCHEDULER, SchedulerSpec.replicas(spec.scheduler()));
    }
    return observed
        .scheduling()
        .pool()
        .map(SchedulerPool::getStatus)
        .map(SchedulerPoolStatus::roots)
        .map(
            roots ->
                new Replicas(roots.replicas(), roots.ready(), roots.updated(), roots.summary()))
        .orElse(new Replicas(0, 0, 0, "0/0"));
  }

  /** kube-controller-manager's pods. */
  Replicas controllerManager() {
    return replicas(
        ControlPlaneNames.CONTROLLER_MANAGER,
        ControllerManagerSpec.replicas(spec.controllerManager()));
  }

  private Replicas replicas(String component, int desired) {
    Optional<Deployment> deployment = observed.deployment(component);
    int ready = deployment.map(Rollout::ready).orElse(0);
    return new Replicas(
        deployment.map(Rollout::replicas).orElse(0),
        ready,
        deployment.map(Rollout::updated).orElse(0),
        ready + "/" + desired);
  }

  /** The size in force, and the one that follows. */
  Sizing sizing() {
    Size size = observed.sized().size();
    boolean told =
        observed.sized().tuned().isPresent()
            || before
                .map(ControlPlaneStatus::sizing)
                .filter(known -> known.configMapRef() != null)
                .isPresent();
    return new Sizing(
        size.maxNodes(),
        size.pending().map(Size.Change::maxNodes).orElse(null),
        size.pending().map(change -> change.at().toString()).orElse(null),
        told ? new LocalRef(names.tuning()) : null);
  }
}
