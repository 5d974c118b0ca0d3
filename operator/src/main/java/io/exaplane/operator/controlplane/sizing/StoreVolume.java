// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.api.v1alpha1.VolumeType;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Volumes of stores. A store that is there keeps what it has, since its data is on it, but for a
 * larger size. One that is made gets what the user asks for, or a claim that its memory can't
 * outgrow. Pure.
 */
final class StoreVolume {
  private StoreVolume() {}

  /**
   * The volume of a store.
   *
   * @param store with its memory
   * @param expectedMemory bytes that the model has for it; 0 when it was not asked
   */
  static VolumeSpec of(StoreTemplate store, Optional<StoreShard> shard, double expectedMemory) {
    return shard
        .flatMap(there -> Optional.ofNullable(there.getSpec()))
        .flatMap(spec -> Optional.ofNullable(spec.storage()))
        .map(has -> grown(has, store.storage()))
        .orElseGet(() -> made(store, expectedMemory));
  }

  /** What a store has, of a larger size when the user asks for one. */
  private static VolumeSpec grown(VolumeSpec has, VolumeSpec asked) {
    boolean larger =
        asked != null
            && asked.size() != null
            && has.size() != null
            && asked.size().getNumericalAmount().compareTo(has.size().getNumericalAmount()) > 0;
    return larger ? has.ofSize(asked.size()) : has;
  }

  private static VolumeSpec made(StoreTemplate store, double expectedMemory) {
    VolumeSpec asked = store.storage();
    VolumeType type = VolumeSpec.type(asked, store.effectiveCriticality());
    Quantity size = asked == null ? null : asked.size();
    String storageClass = asked == null ? null : asked.storageClassName();
    boolean sizeOpen = size == null && type.outlivesPod();
    return new VolumeSpec(type, sizeOpen ? claim(store, expectedMemory) : size, storageClass);
  }

  private static Quantity claim(StoreTemplate store, double expectedMemory) {
    if (store.effectiveEngine() != StoreEngine.Memory) {
      return VolumeSpec.DEFAULT_CLAIM;
    }
    long bytes = MemoryEngineSpec.volumeBytes((long) most(store, expectedMemory));
    long least = VolumeSpec.DEFAULT_CLAIM.getNumericalAmount().longValue();
    return bytes <= least
        ? VolumeSpec.DEFAULT_CLAIM
        : new Quantity((long) Math.ceil(bytes / Bytes.GIB) + "Gi");
  }

  /** Bytes of versions that the store can hold: by its quota, its memory, or what is expected. */
  private static double most(StoreTemplate store, double expectedMemory) {
    OptionalLong quota = MemoryEngineSpec.quotaBytes(store.memory(), Optional.empty());
    if (quota.isPresent()) {
      return quota.getAsLong();
    }
    double byMemory = StoreSpace.ofMemory(store);
    return byMemory < Double.MAX_VALUE ? byMemory : Math.max(0, Store.quota(expectedMemory));
  }
}
