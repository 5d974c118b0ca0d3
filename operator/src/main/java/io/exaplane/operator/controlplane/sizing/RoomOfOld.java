// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Store;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The room of stores that exist, beside the memory that kube-apiservers have now. Another quota
 * replaces the store's pod, so a store takes it when its pod is replaced anyway. Until then {@link
 * #problem} names what the stores may hold. Pure.
 *
 * @param now the memory that the spec names, or else the model's
 * @param larger the memory that kube-apiservers have in fact, as after one was killed, if that is
 *     more
 */
record RoomOfOld(StoreRoom now, Optional<StoreRoom> larger) {
  /** Part of a quota of load that the objects of a store fill at most when it gets the quota. */
  private static final double FITS = 0.8;

  /** How much more than the model's quotas those of stores allow, before anybody is told. */
  private static final double CLOSE = 1.1;

  /** Beside the limit that the user named, or else the limit that kube-apiservers have. */
  static RoomOfOld of(StoreRoom now, Optional<Long> namedBytes, Sized.Before before) {
    Optional<Quantity> runs =
        Optional.ofNullable(before.containers().get(Component.KUBE_APISERVER))
            .flatMap(container -> Optional.ofNullable(container.getResources()))
            .flatMap(resources -> Optional.ofNullable(resources.getLimits()))
            .map(limits -> limits.get("memory"));
    return new RoomOfOld(
        now,
        Stream.of(before.grownMemory(), runs)
            .flatMap(Optional::stream)
            .filter(_ -> namedBytes.isEmpty())
            .map(memory -> memory.getNumericalAmount().longValue())
            .filter(bytes -> bytes > now.limitBytes())
            .max(Long::compare)
            .map(bytes -> new StoreRoom(now.estimate(), bytes, now.leastBytes(), now.loaded())));
  }

  /**
   * A store whose room nobody named.
   *
   * @param has the quotas of the StoreShard; null for none
   * @param takes bytes that it would take without a quota of bytes
   * @param isFixed whether its pod takes up no other quota
   */
  record Old(
      Store expected,
      StoreShard shard,
      MemoryEngineSpec has,
      OptionalDouble takes,
      boolean isFixed) {}

  /**
   * The quotas with which the next pod of a store begins: of load, what its kube-apiservers can
   * load, if that is more than its objects need now; of bytes, no less than before. Empty if the
   * quotas stay, as where the store does not say what its objects need.
   */
  Optional<MemoryEngineSpec> next(Old store) {
    Optional<StoreRoom> room = fitting(store);
    if (store.isFixed() || room.isEmpty()) {
      return Optional.empty();
    }
    String had = StoreRoom.hasQuota(store.has()) ? store.has().quota() : null;
    Optional<String> quota =
        Optional.ofNullable(had)
            .flatMap(
                bytes ->
                    room.get()
                        .quota(store.expected(), store.takes().orElse(Double.MAX_VALUE))
                        .map(now -> bytes(now) > bytes(bytes) ? now : bytes));
    String load = room.get().loadQuota(store.expected());
    MemoryEngineSpec next =
        new MemoryEngineSpec(
            store.has() == null ? null : store.has().durability(),
            quota.orElse(null),
            load,
            store.has() == null ? null : store.has().prefixes());
    return next.equals(store.has()) ? Optional.empty() : Optional.of(next);
  }

  /** The same of all that take other quotas, by the stores' names. */
  Map<String, MemoryEngineSpec> next(List<Old> stores) {
    Map<String, MemoryEngineSpec> next = new LinkedHashMap<>();
    stores.forEach(
        store -> next(store).ifPresent(quotas -> next.put(store.expected().name(), quotas)));
    return next;
  }

  private Optional<StoreRoom> fitting(Old store) {
    Optional<Long> load =
        Optional.ofNullable(store.shard().getStatus()).map(StoreShardStatus::load);
    return load.flatMap(
        bytes ->
            Optional.of(now)
                .filter(room -> fits(bytes, room, store))
                .or(() -> larger.filter(room -> fits(bytes, room, store))));
  }

  private static boolean fits(long load, StoreRoom room, Old store) {
    return load <= FITS * bytes(room.loadQuota(store.expected()));
  }

  /** What is to be said while these stores may hold more than their kube-apiservers can load. */
  Optional<Problem> problem(List<Old> stores) {
    List<Old> unbounded =
        stores.stream().filter(store -> !StoreRoom.hasLoadQuota(store.has())).toList();
    if (!unbounded.isEmpty()) {
      return unbounded.stream().allMatch(this::isSmall)
          ? Optional.empty()
          : Optional.of(
              said(
                  unbounded,
                  "the stores %s have no memory.loadQuota: with some Kinds of objects, they can hold more than a kube-apiserver with a memory limit of %s can load"
                      .formatted(
                          String.join(", ", names(unbounded)), Bytes.text(limit().limitBytes()))));
    }
    double load = stores.stream().mapToDouble(store -> bytes(store.has().loadQuota())).sum();
    double most =
        stores.stream().mapToDouble(store -> bytes(limit().loadQuota(store.expected()))).sum();
    return load <= CLOSE * most
        ? Optional.empty()
        : Optional.of(
            said(
                stores,
                "the objects of the stores %s may take up to %s of a kube-apiserver's memory (memory.loadQuota), but a kube-apiserver with a memory limit of %s can load %s"
                    .formatted(
                        String.join(", ", names(stores)),
                        Bytes.text(load),
                        Bytes.text(limit().limitBytes()),
                        Bytes.text(most))));
  }

  /** The memory that kube-apiservers have in fact. */
  private StoreRoom limit() {
    return larger.orElse(now);
  }

  private boolean isSmall(Old store) {
    double takes =
        StoreRoom.hasQuota(store.has())
            ? bytes(store.has().quota())
            : store.takes().orElse(Double.MAX_VALUE);
    return takes <= limit().estimate().bytesToLoad(limit().limitBytes());
  }

  private Problem said(List<Old> stores, String fact) {
    List<Old> follow = stores.stream().filter(store -> next(store).isPresent()).toList();
    List<Old> stay = stores.stream().filter(store -> next(store).isEmpty()).toList();
    StringBuilder text = new StringBuilder(fact);
    if (!follow.isEmpty()) {
      text.append(
          ". Set spec.storage.restartedAt to the present time: each store restarts once, and takes its quota then (%s). A move to the operator's bundle does the same"
              .formatted(
                  String.join(
                      ", ",
                      follow.stream()
                          .map(
                              store ->
                                  "%s: %s"
                                      .formatted(
                                          store.expected().name(),
                                          next(store).orElseThrow().loadQuota()))
                          .toList())));
    }
    if (!stay.isEmpty()) {
      text.append(
          ". Raise the memory limit in spec.apiServer.resources before the stores fill up, since no quota can be chosen for %s: the objects need more, or the store does not report how much they need, or its pod takes no new settings"
              .formatted(String.join(", ", names(stay))));
    }
    return new Problem(Reason.LimitsExceeded, text.toString());
  }

  private static List<String> names(List<Old> stores) {
    return stores.stream().map(store -> store.expected().name()).toList();
  }

  private static double bytes(String quota) {
    return new Quantity(quota).getNumericalAmount().doubleValue();
  }
}
