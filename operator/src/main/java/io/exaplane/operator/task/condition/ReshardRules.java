// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.TaskMove;
import io.exaplane.operator.config.BuiltinResources;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.task.observe.EtcdPrefixes;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.StoragePlan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether resources can move to another store. Pure. */
public final class ReshardRules {
  private static final String PREFIX_FLAG = "etcd-prefix";

  /** Limits of the schema of {@code spec.storage.routes}. */
  private static final int MOST_RESOURCES = 20;

  private static final int MOST_ROUTES = 8;

  private ReshardRules() {}

  /** Why a task can't be carried out: field, value, rule, next action. */
  public static Optional<String> rejection(ControlPlaneTask task, Look look) {
    ControlPlane controlPlane = look.controlPlane();
    StoragePlan plan = StoragePlan.of(controlPlane);
    String toStore = task.getSpec().reshard().toStore();
    if (plan.store(toStore).isEmpty()) {
      return Optional.of(
          "spec.reshard.toStore %s: is no store of ControlPlane %s, whose stores are %s; add the store to spec.storage.stores of the ControlPlane, and create another task."
              .formatted(
                  toStore,
                  controlPlane.getMetadata().getName(),
                  plan.stores().stream()
                      .map(StoreTemplate::name)
                      .collect(Collectors.joining(", "))));
    }
    return prefix(controlPlane)
        .or(
            () ->
                task.getSpec().reshard().resources().stream()
                    .flatMap(resource -> resource(resource, toStore, plan, controlPlane).stream())
                    .findFirst())
        .or(() -> size(task.getSpec().reshard().resources(), toStore, plan))
        .or(() -> stores(task, look).flatMap(name -> store(name, look).stream()).findFirst());
  }

  /** The routes that a move writes must be ones that the schema takes. */
  private static Optional<String> size(
      List<ResourceRef> resources, String toStore, StoragePlan plan) {
    StoragePlan after = plan;
    for (ResourceRef resource : resources) {
      after =
          new StoragePlan(
              after.stores(),
              after.moved(resource, toStore, "").routes(),
              after.storesAreWritten());
    }
    int led =
        after.routes().stream()
            .filter(route -> route.store().equals(toStore))
            .mapToInt(route -> route.resources().size())
            .sum();
    if (led > MOST_RESOURCES) {
      return Optional.of(
          "spec.reshard.resources: %d resources would have a route to store %s, and a route has at most %d; name fewer resources, or another store."
              .formatted(led, toStore, MOST_RESOURCES));
    }
    return after.routes().size() > MOST_ROUTES
        ? Optional.of(
            "spec.reshard.toStore %s: spec.storage.routes would have %d entries, and has at most %d; name a store that has a route."
                .formatted(toStore, after.routes().size(), MOST_ROUTES))
        : Optional.empty();
  }

  /** The keys of a resource are found by kube-apiserver's default prefix. */
  private static Optional<String> prefix(ControlPlane controlPlane) {
    return ApiServerSpec.extraArgs(controlPlane.getSpec().apiServer()).stream()
        .filter(argument -> argument.name().equals(PREFIX_FLAG))
        .map(ExtraArg::value)
        .filter(value -> !value.equals(EtcdPrefixes.ROOT))
        .map(
            value ->
                "spec.apiServer.extraArgs etcd-prefix %s of ControlPlane %s: a resource moves only from below %s; create a ControlPlane with the routes that you want instead."
                    .formatted(value, controlPlane.getMetadata().getName(), EtcdPrefixes.ROOT))
        .findFirst();
  }

  private static Optional<String> resource(
      ResourceRef resource, String toStore, StoragePlan plan, ControlPlane controlPlane) {
    String version = controlPlane.getSpec().version();
    if (!BuiltinResources.ofVersion(version).contains(resource.toString())) {
      return Optional.of(
          "spec.reshard.resources %s: is no built-in resource of Kubernetes %s, and others remain in the store default; remove the resource, or correct group and plural name."
              .formatted(resource, version));
    }
    if (resource.resource().equals("events")) {
      return Optional.of(
          "spec.reshard.resources %s: Events end by themselves, and two API groups share their keys, so they do not move; remove the resource."
              .formatted(resource));
    }
    if (resource.toString().equals("/services")) {
      return Optional.of(
          "spec.reshard.resources /services: kube-apiserver keeps the node ports and addresses that are in use below %s/ranges, with the storage of Services, and these do not move; remove the resource."
              .formatted(EtcdPrefixes.ROOT));
    }
    return plan.storeOf(resource).equals(toStore)
        ? Optional.of(
            "spec.reshard.toStore %s: has the resource %s already; remove the resource from spec.reshard.resources, or name another store."
                .formatted(toStore, resource))
        : Optional.empty();
  }

  private static Optional<String> store(String name, Look look) {
    StoreTemplate store = StoragePlan.of(look.controlPlane()).store(name).orElseThrow();
    Optional<StoreShard> shard = look.shardOf(name);
    StoreEngine engine =
        shard
            .map(found -> found.getSpec())
            .flatMap(spec -> Optional.ofNullable(spec.engine()))
            .orElse(store.effectiveEngine());
    if (engine != StoreEngine.Memory) {
      return Optional.of(
          "spec.reshard, at store %s, engine %s: resources move only between stores of the engine Memory; name stores of that engine, or create a ControlPlane with the routes that you want."
              .formatted(name, engine));
    }
    if (store.effectiveCriticality() == Criticality.BestEffort) {
      return Optional.of(
          "spec.reshard, at store %s, criticality BestEffort: the store may hold only Events, since its data can be lost; name a Critical store."
              .formatted(name));
    }
    return shard.filter(found -> !StoreNames.isPersistent(found, look.setOf(name))).isPresent()
        ? Optional.of(
            "spec.reshard, at store %s, storage.type: the store has no PersistentVolume, so a lost pod would lose the state of the move; name stores with a PersistentVolume."
                .formatted(name))
        : Optional.empty();
  }

  /** The stores that take part, each once. */
  private static Stream<String> stores(ControlPlaneTask task, Look look) {
    StoragePlan plan = StoragePlan.of(look.controlPlane());
    return Stream.concat(
            Stream.of(task.getSpec().reshard().toStore()),
            task.getSpec().reshard().resources().stream().map(plan::storeOf))
        .distinct();
  }

  /** Why a task has to wait, although it could be carried out. */
  public static Optional<String> holdUp(ControlPlaneTask task, Look look) {
    ControlPlaneNames names = new ControlPlaneNames(look.controlPlane());
    return stores(task, look)
        .filter(
            name ->
                look.shardOf(name)
                    .flatMap(RestartProgress::ready)
                    .filter(ready -> ready.status().equals(Condition.TRUE))
                    .isEmpty())
        .findFirst()
        .map(
            name ->
                "The store %1$s is not ready. See 'kubectl describe shard %2$s'."
                    .formatted(name, names.shard(name)));
  }

  /** Where the resources are when a task begins. */
  public static List<TaskMove> moves(ControlPlaneTask task, ControlPlane controlPlane) {
    StoragePlan plan = StoragePlan.of(controlPlane);
    return task.getSpec().reshard().resources().stream()
        .map(resource -> new TaskMove(resource, plan.storeOf(resource)))
        .toList();
  }
}
