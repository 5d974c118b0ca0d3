// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.move.MoveEnds;
import io.exaplane.operator.move.MoveKey;
import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.Movers;
import io.exaplane.operator.move.RouteState;
import io.exaplane.operator.move.Routes;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.task.observe.EtcdPrefixes;
import io.exaplane.operator.task.observe.Look;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Stores, Services and passes of one control plane as a task sees them, with an operator that can
 * die at any call. What stores, statuses and the spec say outlives the operator; its runs do not.
 *
 * <p>Longer than others: one model of all that a task touches.
 */
final class ReshardWorld implements Routes, Movers, RouteWriter {
  /** The operator is gone; another one makes the next look. */
  static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  static final String TO = "leases";

  /** By flags; to read YAML takes longer than all else. */
  private static final Map<String, Deployment> SERVERS = new HashMap<>();

  /** What both stores keep of a prefix. */
  private static final class Pair {
    private String from = "";
    private String to = "";
  }

  /** A run of this operator. */
  private static final class Run {
    private Phase phase = Phase.None;
    private boolean switches;
    private boolean withdrawn;
  }

  final ControlPlane controlPlane =
      Tasks.controlPlane(
          """
          , storage: {stores: [{name: default}, {name: events, criticality: BestEffort}, {name: leases}],
                      routes: [{store: events, resources: [{group: '', resource: events}]}]}
          """
              .strip(),
          "{}");
  final Map<ResourceRef, String> selected = new HashMap<>();
  private final Map<String, Pair> stores = new TreeMap<>();
  private final Map<MoveKey, Run> runs = new HashMap<>();
  private final Map<String, StoreShard> shards = new TreeMap<>();
  private final Random random;
  private final boolean mayFail;

  /** What the API server says to a write that it would refuse. */
  Optional<String> refusal = Optional.empty();

  /** Whether the second store does not answer a request to give up. */
  boolean secondIsDown;

  /** Whether passes of the control plane do nothing. */
  boolean passesStandStill;

  /** Whether each kube-apiserver has the flags. */
  boolean rollsOut;

  /** The prefix whose copy fails; null for none, or for those that fail by chance. */
  String fails;

  private int kills;
  private List<ResourceRef> rendered = List.of();
  private List<StoreRoute> annotated;

  /**
   * At the beginning nothing has moved.
   *
   * @param kills how often the operator dies at most
   * @param mayFail whether a copy can fail
   */
  ReshardWorld(Random random, int kills, boolean mayFail) {
    this.random = random;
    this.kills = kills;
    this.mayFail = mayFail;
    controlPlane.getMetadata().setResourceVersion("1");
    StorageSpec.stores(controlPlane.getSpec().storage())
        .forEach(store -> shards.put(store.name(), shard(store.name())));
    annotate();
  }

  private static StoreShard shard(String name) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-%s, namespace: ns}
        spec: {engine: Memory, criticality: Critical, storage: {type: PersistentVolume}, tls: {secretRef: {name: t}}}
        status: {conditions: [{type: Ready, status: "True"}]}
        """
            .formatted(name),
        StoreShard.class);
  }

  /** The operator may die here. */
  void danger() {
    if (kills > 0 && random.nextInt(12) == 0) {
      kills--;
      runs.clear();
      throw new KilledException();
    }
  }

  /** Whether the API server refuses to write the task's status just now. */
  boolean isRefused() {
    return kills > 0 && random.nextInt(8) == 0;
  }

  Look look() {
    String flags =
        rendered.stream()
            .map(resource -> resource + "#https://10.0.0.1:2379")
            .collect(Collectors.joining(","));
    Deployment servers =
        SERVERS.computeIfAbsent(flags + rollsOut, _ -> servers(flags, rollsOut ? 1 : 2));
    return new Look(
        controlPlane,
        Optional.of(servers),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        shards,
        Map.of());
  }

  private static Deployment servers(String flags, int updated) {
    return Serialization.unmarshal(
        """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: demo-apiserver, generation: 2}
            spec: {replicas: 2, template: {spec: {containers: [{name: c, args: ["--etcd-servers-overrides=%s"]}]}}}
            status: {observedGeneration: 2, replicas: 2, updatedReplicas: %d, availableReplicas: 2, readyReplicas: 2}
            """
            .formatted(flags, updated),
        Deployment.class);
  }

  /** A pass of the control plane. */
  void pass(ControlPlaneTask task) {
    if (passesStandStill) {
      return;
    }
    TaskOrders orders = TaskOrders.of(controlPlane, List.of(task));
    List<ControlPlaneStatus.Route> routes = new ArrayList<>();
    Optional.ofNullable(controlPlane.getStatus().routes()).ifPresent(routes::addAll);
    for (ResourceRef resource : orders.routed()) {
      if (routes.stream().noneMatch(route -> route.resource().equals(resource))) {
        routes.add(new ControlPlaneStatus.Route(resource, selected.get(resource), "10.0.0.1"));
      }
    }
    controlPlane.setStatus(controlPlane.getStatus().withRoutes(routes));
    rendered = routes.stream().map(ControlPlaneStatus.Route::resource).toList();
    annotate();
  }

  private void annotate() {
    List<StoreRoute> now = StorageSpec.routes(controlPlane.getSpec().storage());
    if (now.equals(annotated)) {
      return;
    }
    annotated = now;
    String routes = Serialization.asJson(now);
    shards
        .values()
        .forEach(
            shard ->
                shard.getMetadata().setAnnotations(Map.of(StoreNames.ROUTES_ANNOTATION, routes)));
  }

  /** Each run does one thing. */
  void tick() {
    runs.forEach(
        (key, run) -> {
          if (key.prefix().equals(fails) && run.phase == Phase.Following) {
            run.phase = Phase.Failed;
          }
          tick(stores.get(key.prefix()), run);
        });
    stores.values().forEach(ReshardWorld::holds);
  }

  private void tick(Pair pair, Run run) {
    boolean before = !pair.from.equals("Left");
    if (run.withdrawn && before && run.phase != Phase.Abandoned) {
      // The first store is thawed first.
      if (pair.from.isEmpty() && !secondIsDown) {
        pair.to = "";
        run.phase = Phase.Abandoned;
      }
      pair.from = "";
      return;
    }
    boolean failsNow = mayFail && before && random.nextInt(15) == 0;
    if (failsNow && List.of(Phase.Copying, Phase.Following, Phase.Switching).contains(run.phase)) {
      pair.from = "";
      run.phase = Phase.Failed;
      return;
    }
    switch (run.phase) {
      case None, Copying -> {
        if (before) {
          run.phase =
              pair.to.equals("Arriving") && pair.from.isEmpty() ? Phase.Following : Phase.Copying;
          pair.from = "";
          pair.to = "Arriving";
        } else {
          run.phase = Phase.Switching;
        }
      }
      case Following -> {
        if (run.switches) {
          pair.from = "Frozen";
          run.phase = Phase.Switching;
        }
      }
      case Switching -> {
        if (before) {
          pair.from = "Left";
        } else {
          pair.to = "Arrived";
          run.phase = Phase.Switched;
        }
      }
      case Switched, Failed, Abandoned -> {}
    }
  }

  /** There is one authority at any time. */
  private static void holds(Pair pair) {
    assertThat(pair.to.equals("Arrived") && !pair.from.equals("Left")).isFalse();
  }

  /** What became of a resource: whether it moved, and everything agrees on that. */
  boolean hasMoved(ResourceRef resource) {
    Pair pair = stores.getOrDefault(EtcdPrefixes.of(resource), new Pair());
    boolean moved = pair.to.equals("Arrived");
    assertThat(pair.from).isEqualTo(moved ? "Left" : "");
    assertThat(pair.to).isEqualTo(moved ? "Arrived" : "");
    assertThat(selected.getOrDefault(resource, "default")).isEqualTo(moved ? TO : "default");
    assertThat(StorageSpec.storeOf(StorageSpec.routes(controlPlane.getSpec().storage()), resource))
        .isEqualTo(moved ? TO : "default");
    return moved;
  }

  @Override
  public RouteState prepare(
      ControlPlane about, ResourceRef resource, String fromStore, Context<?> context) {
    danger();
    selected.putIfAbsent(resource, fromStore);
    danger();
    boolean ready = random.nextBoolean();
    return new RouteState(
        ready,
        "10.0.0.1",
        selected.get(resource),
        ready ? null : "Certificates follow. No action is needed.");
  }

  @Override
  public void select(ControlPlane about, ResourceRef resource, String store, Context<?> context) {
    danger();
    selected.put(resource, store);
    danger();
  }

  @Override
  public MoveState look(MoveKey key) {
    danger();
    Run run = runs.get(key);
    return run == null
        ? MoveState.NONE
        : new MoveState(
            run.phase,
            5,
            10,
            0,
            run.phase == Phase.Switched ? Duration.ofMillis(300) : Duration.ZERO,
            "The words of %s. No action is needed.".formatted(run.phase),
            stores.get(key.prefix()).from.isEmpty());
  }

  @Override
  public Optional<String> obstacle(MoveEnds ends) {
    return Optional.empty();
  }

  @Override
  public void start(MoveKey key, MoveEnds ends) {
    danger();
    stores.computeIfAbsent(key.prefix(), _ -> new Pair());
    runs.computeIfAbsent(key, _ -> new Run());
    danger();
  }

  @Override
  public void switchOver(MoveKey key) {
    danger();
    runs.get(key).switches = true;
    danger();
  }

  @Override
  public void abandon(MoveKey key, MoveEnds ends) {
    danger();
    stores.computeIfAbsent(key.prefix(), _ -> new Pair());
    Run run = runs.computeIfAbsent(key, _ -> new Run());
    run.withdrawn = true;
    if (run.phase == Phase.Failed) {
      run.phase = Phase.None;
    }
    danger();
  }

  @Override
  public boolean clear(MoveKey key, MoveEnds ends) {
    danger();
    Pair pair = stores.get(key.prefix());
    assertThat(pair.from).isEqualTo("Left");
    assertThat(pair.to).isEqualTo("Arrived");
    return random.nextBoolean();
  }

  @Override
  public void forget(MoveKey key) {
    danger();
    runs.remove(key);
  }

  @Override
  public Optional<String> objection(ControlPlane about, StorageSpec storage) {
    danger();
    return refusal;
  }

  @Override
  public void keep(ControlPlane about, Collection<StoreShard> there) {
    danger();
    assertThat(there).hasSameSizeAs(shards.values());
    annotate();
  }

  /** Whether the stores carry the routes of the spec. */
  boolean keepsRoutes() {
    return StorageSpec.routes(controlPlane.getSpec().storage()).equals(annotated);
  }

  boolean works() {
    return !runs.isEmpty();
  }

  @Override
  public void write(ControlPlane about, StorageSpec storage) {
    danger();
    StorageSpec was = controlPlane.getSpec().storage();
    assertThat(storage.movedBy()).isNotNull().isNotEqualTo(was.movedBy());
    assertThat(storage.stores()).isNull();
    controlPlane.setSpec(
        controlPlane
            .getSpec()
            .with(
                controlPlane.getSpec().maxNodes(),
                new StorageSpec(
                    was.stores(), storage.routes(), null, null, null, storage.movedBy())));
    danger();
  }
}
