// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How much a store may hold beside what it would hold.
 *
 * @param memory of its container, the limit; nothing where there is none, as for an etcd
 * @param takes bytes of versions, where they are bounded
 * @param keeps bytes of versions, as the model expects
 * @param wants memory, bytes, that the model would give it
 * @param isFixed whether its pod takes up nothing new, since its data would go with it
 */
record StoreSpace(
    String name,
    Optional<Quantity> memory,
    OptionalDouble takes,
    double keeps,
    double wants,
    boolean isFixed) {
  /** A store of ours takes as much in whatever memory (app/Space.java). */
  private static final double LEAST = 64 * Bytes.MIB;

  /** Of what follows from settings, below which a store that says less is believed. */
  private static final double CLOSE = 0.9;

  /**
   * Of a store.
   *
   * @param shard what it says itself, if it is there: a pod may not have what is asked for now
   */
  static StoreSpace of(StoreTemplate store, Optional<StoreShard> shard, Store expected) {
    boolean ours = store.effectiveEngine() == StoreEngine.Memory;
    double asked =
        ours ? Math.min(quota(store), ofMemory(store)) : VolumeSpec.etcdQuotaBytes(store.storage());
    double takes =
        shard
            .flatMap(any -> Optional.ofNullable(any.getStatus()))
            .flatMap(status -> Optional.ofNullable(status.quota()))
            .map(Long::doubleValue)
            .filter(said -> ours && said < CLOSE * asked)
            .orElse(asked);
    return new StoreSpace(
        store.name(),
        ours ? limit(store) : Optional.empty(),
        takes == Double.MAX_VALUE ? OptionalDouble.empty() : OptionalDouble.of(takes),
        expected.keptBytes(),
        expected.memory(),
        !VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod()
            && store.effectiveCriticality() == Criticality.Critical);
  }

  private static double quota(StoreTemplate store) {
    return MemoryEngineSpec.quotaBytes(
            store.memory(), VolumeSpec.bytes(store.storage(), store.effectiveCriticality()))
        .stream()
        .mapToDouble(bytes -> bytes)
        .findFirst()
        .orElse(Double.MAX_VALUE);
  }

  /**
   * Bytes that a store of ours takes by its memory alone; the largest number when that has no
   * limit.
   */
  static double ofMemory(StoreTemplate store) {
    return limit(store)
        .map(memory -> Store.quota(memory.getNumericalAmount().doubleValue()))
        .map(bytes -> Math.max(LEAST, bytes))
        .orElse(Double.MAX_VALUE);
  }

  private static Optional<Quantity> limit(StoreTemplate store) {
    return store.resources() == null
        ? Optional.of(new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT))
        : Optional.ofNullable(store.resources().getLimits()).map(limits -> limits.get("memory"));
  }

  boolean isTooSmall() {
    return takes.isPresent() && keeps > takes.getAsDouble();
  }

  @Override
  public String toString() {
    return "the store %s holds at most %s, but will need %s, for which the store needs %s of memory. A full store refuses writes; %s"
        .formatted(
            name,
            takes.isPresent() ? Bytes.text(takes.getAsDouble()) : "everything",
            Bytes.text(keeps),
            Bytes.text(wants),
            isFixed
                ? "create a control plane with larger stores, since this store's pod gets new"
                    + " settings only when you delete the pod with its data"
                : "raise its memory and quota in spec.storage");
  }
}
