// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether stores that a user writes down later are those that the control plane has: the schema
 * knows only what was written before. Other stores would hold nothing of what is there. Pure.
 */
public final class StorePlanCheck {
  private StorePlanCheck() {}

  /**
   * What speaks against the stores of a spec, with the next action.
   *
   * @param shards the StoreShards there are, those of one of the same name before it among them
   * @param orders what running tasks ask for: one may have moved resources
   */
  public static Optional<Problem> check(
      ControlPlane asked, Collection<StoreShard> shards, TaskOrders orders) {
    StorageSpec storage = asked.getSpec().storage();
    List<StoreShard> own =
        shards.stream().filter(shard -> shard.hasOwnerReferenceFor(asked)).toList();
    if (!StorageSpec.isExplicit(storage) || own.isEmpty()) {
      return Optional.empty();
    }
    Map<String, StoreShard> there = new TreeMap<>();
    own.forEach(shard -> there.put(shard.getMetadata().getName(), shard));
    ControlPlaneNames names = new ControlPlaneNames(asked);
    SortedSet<String> wanted = new TreeSet<>();
    for (StoreTemplate store : StorageSpec.stores(storage)) {
      wanted.add(names.shard(store.name()));
      StoreShard shard = there.get(names.shard(store.name()));
      Optional<Quantity> has = Optional.ofNullable(shard).flatMap(StorePlanCheck::size);
      if (has.filter(size -> isSmaller(store, size)).isPresent()) {
        return shrinks(store, has.get());
      }
      Optional<String> difference =
          shard == null ? Optional.empty() : difference(store, shard.getSpec());
      if (difference.isPresent()) {
        return problem("store %s: %s".formatted(store.name(), difference.get()));
      }
    }
    // One that somebody deleted is made again.
    if (!wanted.containsAll(there.keySet())) {
      SortedSet<String> missing = new TreeSet<>(there.keySet());
      missing.removeAll(wanted);
      return problem("the existing stores also include %s".formatted(String.join(", ", missing)));
    }
    List<String> written = routes(own);
    SortedSet<String> more = new TreeSet<>(wanted);
    more.removeAll(there.keySet());
    // A new store is empty, and no route leads to it: that can be seen only if routes are known.
    if (written.isEmpty() && !shownBefore(asked).containsAll(more)) {
      return problem("the existing stores do not include %s".formatted(String.join(", ", more)));
    }
    List<ResourceRef> moved = moved(storage, orders);
    return written.stream()
        .filter(routes -> !StorePlan.isSame(routes, storage, moved))
        .findFirst()
        .map(routes -> differs(storage, routes));
  }

  /**
   * The schema lets routes back only together with another value of movedBy: once written, others
   * would stay for ever.
   */
  private static Problem differs(StorageSpec storage, String routes) {
    String way =
        storage.movedBy() == null
            ? "write them, together with any value of spec.storage.movedBy"
            : "write them, together with another value of spec.storage.movedBy than %s"
                .formatted(storage.movedBy());
    return new Problem(
        Reason.OtherStores,
        "spec.storage.routes: differs from the existing routes of the control plane, and objects would vanish. The existing routes are %s; %s. Move resources with a ControlPlaneTask. The operator changes nothing until then."
            .formatted(routes, way));
  }

  /**
   * The resources of the task that wrote the routes; none if somebody else did. One task moves at a
   * time, and may have moved several since a pass last wrote the routes on the stores.
   */
  private static List<ResourceRef> moved(StorageSpec storage, TaskOrders orders) {
    boolean marked =
        orders.moves().stream().anyMatch(move -> move.mark().equals(storage.movedBy()));
    return marked ? orders.moves().stream().map(TaskOrders.Move::resource).toList() : List.of();
  }

  /** The routes that the stores carry. */
  private static List<String> routes(List<StoreShard> own) {
    return own.stream()
        .flatMap(shard -> Optional.ofNullable(shard.getMetadata().getAnnotations()).stream())
        .flatMap(all -> Optional.ofNullable(all.get(StoreNames.ROUTES_ANNOTATION)).stream())
        .toList();
  }

  private static SortedSet<String> shownBefore(ControlPlane asked) {
    SortedSet<String> names = new TreeSet<>();
    if (asked.getStatus() != null && asked.getStatus().stores() != null) {
      asked.getStatus().stores().items().forEach(store -> names.add(store.shard()));
    }
    return names;
  }

  private static Optional<String> difference(StoreTemplate store, StoreShardSpec has) {
    if (has == null) {
      return Optional.empty();
    }
    if (has.effectiveCriticality() != store.effectiveCriticality()) {
      return Optional.of("criticality is " + has.effectiveCriticality());
    }
    if (has.engine() != null && has.engine() != store.effectiveEngine()) {
      return Optional.of("engine is " + has.engine());
    }
    VolumeSpec asked = store.storage();
    if (asked == null || has.storage() == null) {
      return Optional.empty();
    }
    boolean same = asked.type() == null || asked.type() == has.storage().type();
    return same ? Optional.empty() : Optional.of("storage is " + text(has.storage()));
  }

  /** What the volume has: more may have been asked for, and may never come. */
  private static Optional<Quantity> size(StoreShard shard) {
    return Optional.ofNullable(shard.getStatus())
        .map(StoreShardStatus::volumeSize)
        .map(Quantity::new)
        .or(
            () ->
                Optional.ofNullable(shard.getSpec())
                    .map(StoreShardSpec::storage)
                    .map(VolumeSpec::size));
  }

  private static boolean isSmaller(StoreTemplate store, Quantity has) {
    return store.storage() != null
        && store.storage().size() != null
        && store.storage().size().getNumericalAmount().compareTo(has.getNumericalAmount()) < 0;
  }

  private static Optional<Problem> shrinks(StoreTemplate store, Quantity has) {
    return Optional.of(
        new Problem(
            Reason.VolumeCantShrink,
            "spec.storage.stores, at %s, storage.size %s: is smaller than %s, which the store has, and volumes do not shrink. Set %s or more. The operator changes nothing until then."
                .formatted(store.name(), store.storage().size(), has, has)));
  }

  private static String text(VolumeSpec volume) {
    return volume.type() + (volume.size() == null ? "" : " of " + volume.size());
  }

  private static Optional<Problem> problem(String what) {
    return Optional.of(
        new Problem(
            Reason.OtherStores,
            "spec.storage: differs from the existing stores of the control plane (%s), and objects would vanish; write the existing stores ('kubectl get storeshards'), with other resources or memory if you want. You may add stores without routes. Move resources with a ControlPlaneTask. The operator changes nothing until then."
                .formatted(what)));
  }
}
