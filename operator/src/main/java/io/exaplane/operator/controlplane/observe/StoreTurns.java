// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whose turn it is when the stores of a control plane are replaced: one after the other in the
 * order of the spec, each when all others serve and no component is being replaced. Pure.
 */
public final class StoreTurns {
  private final String asked;
  private final Map<String, StoreShard> shards;
  private final ControlPlaneNames names;
  private final Optional<String> turn;
  private final Optional<String> bundle;
  private final Optional<String> move;
  private final Optional<String> growth;
  private final boolean waits;
  private final TaskOrders orders;

  /** On a StoreShard: the request of the spec that it knows, if a task restarted it since. */
  public static final String KNOWN_REQUEST = "exaplane.io/known-restarted-at";

  /**
   * For what was observed.
   *
   * @param bundle that all stores are to be of; empty when each stays of its own
   */
  public StoreTurns(Observed observed, Optional<String> bundle) {
    this(observed, bundle, false);
  }

  /**
   * The same.
   *
   * @param waits whether no store has a turn, because other control planes roll
   */
  public StoreTurns(Observed observed, Optional<String> bundle, boolean waits) {
    this.waits = waits;
    this.orders = observed.orders();
    this.bundle = bundle;
    StorageSpec storage = observed.controlPlane().spec().storage();
    this.asked = storage == null ? null : storage.restartedAt();
    this.names = observed.controlPlane().names();
    this.shards =
        observed.shards().stream()
            .collect(Collectors.toMap(s -> s.getMetadata().getName(), Function.identity()));
    this.turn =
        waits ? Optional.empty() : turn(StorageSpec.stores(storage), observed.deployments());
    this.move =
        waits ? Optional.empty() : move(StorageSpec.stores(storage), observed.deployments());
    this.growth =
        waits || turn.isPresent() || move.isPresent()
            ? Optional.empty()
            : growth(StorageSpec.stores(storage), observed.deployments());
  }

  /**
   * A store with the size that it is to have now: a larger one when it is the store's turn, since
   * the pod is replaced for it. A size that is set back counts at once, and so does a larger one of
   * a store that is in need: others may be waiting for just that.
   */
  public StoreTemplate sized(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    return shard == null
            || !isLarger(store, shard)
            || isInNeed(shard)
            || growth.filter(store.name()::equals).isPresent()
        ? store
        : store.on(
            store
                .storage()
                .ofSize(
                    Optional.ofNullable(shard.getSpec().storage())
                        .map(VolumeSpec::size)
                        .orElse(null)));
  }

  /** Whether a store that is there is to be replaced, be it its turn or not. */
  public boolean arePending(List<StoreTemplate> stores) {
    return stores.stream()
        .filter(store -> shards.containsKey(names.shard(store.name())))
        .anyMatch(
            store -> {
              StoreShard shard = shards.get(names.shard(store.name()));
              return isAsked(store.name())
                  || !isDone(shard)
                  || bundle.isPresent() && !isOf(bundle.get(), shard)
                  || isLarger(store, shard) && !isInNeed(shard);
            });
  }

  /** The first that is to grow, when all others serve, and none grows or restarts. */
  private Optional<String> growth(List<StoreTemplate> stores, List<Deployment> deployments) {
    return stores.stream()
        .filter(store -> shards.containsKey(names.shard(store.name())))
        .filter(store -> isLarger(store, shards.get(names.shard(store.name()))))
        .filter(store -> !isInNeed(shards.get(names.shard(store.name()))))
        .map(StoreTemplate::name)
        .findFirst()
        .filter(_ -> deployments.stream().noneMatch(Rollout::isReplacingPods))
        .filter(
            name ->
                shards.values().stream()
                    .allMatch(
                        shard ->
                            isQuiet(shard)
                                && (shard.getMetadata().getName().equals(names.shard(name))
                                    || ShardStates.isReady(shard))));
  }

  private static boolean isLarger(StoreTemplate store, StoreShard shard) {
    return store.storage() != null
        && VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod()
        && size(store.storage())
                .getNumericalAmount()
                .compareTo(size(shard.getSpec().storage()).getNumericalAmount())
            > 0;
  }

  /** A store that does not serve, or refuses writes: its restart takes nothing from anybody. */
  private static boolean isInNeed(StoreShard shard) {
    return !ShardStates.isReady(shard) || ShardStates.refusal(shard).isPresent();
  }

  private static Quantity size(VolumeSpec volume) {
    return volume == null || volume.size() == null ? VolumeSpec.DEFAULT_CLAIM : volume.size();
  }

  /** Whether a store has done what it was asked for, also another bundle. */
  static boolean isAtRest(StoreShard shard) {
    String asked = RolloutSpec.bundle(shard.getSpec().rollout());
    return isQuiet(shard) && (asked == null || isOf(asked, shard));
  }

  /** Whether a store has done what it was asked for, or can't. */
  private static boolean isQuiet(StoreShard shard) {
    boolean told =
        shard.getStatus() != null
            && Objects.equals(
                shard.getStatus().observedGeneration(), shard.getMetadata().getGeneration());
    return told && isDone(shard) && !isGrowing(shard);
  }

  /** One whose volume can't grow replaces no pod, and nobody waits for it. */
  private static boolean isGrowing(StoreShard shard) {
    return ShardStates.condition(shard, StoreCondition.VolumeSized)
        .filter(condition -> condition.reason().equals(Reason.VolumeGrowing.name()))
        .isPresent();
  }

  /** The request that a store is to have carried out. */
  public String restartedAt(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    if (shard == null) {
      // It is made of what this operator has.
      return asked;
    }
    return turn.filter(store.name()::equals).isPresent()
        ? ordered(store.name()).orElse(asked)
        : shard.getSpec().restartedAt();
  }

  /**
   * The spec's request that a store knows although its own is a task's. A restart for a task is one
   * for the spec, too.
   */
  public Optional<String> knownRequest(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    if (shard == null) {
      return Optional.empty();
    }
    boolean now = asked != null && turn.filter(store.name()::equals).isPresent();
    return Optional.ofNullable(now ? asked : known(shard))
        .filter(known -> !known.equals(restartedAt(store)));
  }

  private static String known(StoreShard shard) {
    Map<String, String> annotations = shard.getMetadata().getAnnotations();
    String known = annotations == null ? null : annotations.get(KNOWN_REQUEST);
    return known == null ? shard.getSpec().restartedAt() : known;
  }

  /** The token of a task that a store is to take and has not taken. */
  private Optional<String> ordered(String store) {
    return orders
        .restartOfStore(store)
        .map(TaskOrders.Restart::token)
        .filter(token -> !token.equals(shards.get(names.shard(store)).getSpec().restartedAt()));
  }

  /** Whether a store that is there has yet to take a request. */
  private boolean isAsked(String store) {
    return asked != null && !asked.equals(known(shards.get(names.shard(store))))
        || ordered(store).isPresent();
  }

  /**
   * The first that is asked, when all stores serve; before them one that a task restarts because it
   * does not serve.
   */
  private Optional<String> turn(List<StoreTemplate> stores, List<Deployment> deployments) {
    if (deployments.stream().anyMatch(Rollout::isReplacingPods)) {
      return Optional.empty();
    }
    List<String> asked =
        stores.stream()
            .map(StoreTemplate::name)
            .filter(name -> shards.containsKey(names.shard(name)))
            .filter(this::isAsked)
            .toList();
    return asked.stream()
        .filter(name -> ordered(name).isPresent())
        .filter(name -> !ShardStates.isReady(shards.get(names.shard(name))))
        .filter(name -> othersAreSettled(names.shard(name)))
        .findFirst()
        .or(
            () ->
                asked.stream()
                    .findFirst()
                    .filter(_ -> shards.values().stream().allMatch(this::isSettled)));
  }

  /** The bundle that a store is to be of; null when it stays of its own. */
  public String bundle(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    if (shard == null || move.filter(store.name()::equals).isPresent()) {
      return bundle.orElse(null);
    }
    return RolloutSpec.bundle(shard.getSpec().rollout());
  }

  /** Whether a store that exists is asked now for another pod: a restart, or another bundle. */
  public boolean isReplacedNow(StoreTemplate store) {
    StoreShard shard = shards.get(names.shard(store.name()));
    return shard != null
        && !(Objects.equals(shard.getSpec().restartedAt(), restartedAt(store))
            && Objects.equals(RolloutSpec.bundle(shard.getSpec().rollout()), bundle(store)));
  }

  /** Whether every store is of the bundle that is asked for, and serves. */
  public boolean haveMoved() {
    return !waits
        && bundle.isPresent()
        && shards.values().stream()
            .allMatch(shard -> isOf(bundle.get(), shard) && ShardStates.isReady(shard));
  }

  private static boolean isOf(String bundle, StoreShard shard) {
    return shard.getStatus() != null && bundle.equals(shard.getStatus().bundle());
  }

  /**
   * The first that is to move, when all others serve and none is being replaced; before them one
   * that does not serve, since the next bundle may be what repairs it.
   */
  private Optional<String> move(List<StoreTemplate> stores, List<Deployment> deployments) {
    if (bundle.isEmpty()
        || turn.isPresent()
        || deployments.stream().anyMatch(Rollout::isReplacingPods)) {
      return Optional.empty();
    }
    List<String> remaining =
        stores.stream()
            .map(StoreTemplate::name)
            .filter(name -> shards.containsKey(names.shard(name)))
            .filter(name -> !isOf(bundle.get(), shards.get(names.shard(name))))
            .toList();
    return remaining.stream()
        .filter(name -> !ShardStates.isReady(shards.get(names.shard(name))))
        .findFirst()
        .or(() -> remaining.stream().findFirst())
        .filter(name -> othersAreSettled(names.shard(name)));
  }

  /** A store that does not serve loses nothing by a restart, whatever it was asked for before. */
  private boolean othersAreSettled(String candidate) {
    return shards.values().stream()
        .filter(
            shard -> !shard.getMetadata().getName().equals(candidate) || ShardStates.isReady(shard))
        .allMatch(this::isSettled);
  }

  private boolean isSettled(StoreShard shard) {
    return ShardStates.isReady(shard) && isDone(shard) && !isGrowing(shard) && !isMoving(shard);
  }

  private boolean isMoving(StoreShard shard) {
    return bundle
        .filter(asks -> asks.equals(RolloutSpec.bundle(shard.getSpec().rollout())))
        .filter(asks -> !isOf(asks, shard))
        .isPresent();
  }

  /** Whether a store has carried out the request that it has. */
  private static boolean isDone(StoreShard shard) {
    String request = shard.getSpec().restartedAt();
    return request == null
        || shard.getStatus() != null && Objects.equals(request, shard.getStatus().restartedAt());
  }
}
