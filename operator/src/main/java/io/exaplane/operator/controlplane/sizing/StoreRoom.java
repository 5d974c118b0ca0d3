// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Store;
import java.util.List;
import java.util.Optional;

/**
 * The room of stores beside the memory of the kube-apiservers that load what stores hold. A new
 * store gets no more room than they can load, whatever it is filled with: who fills it within
 * seconds is faster than a larger limit. Pure.
 *
 * @param limitBytes memory of one kube-apiserver: the user's limit, or the model's
 * @param leastBytes room that each store has in any case
 * @param loaded what is expected of the stores that a kube-apiserver loads: of all but those of
 *     Events
 */
record StoreRoom(Estimate estimate, long limitBytes, double leastBytes, List<Store> loaded) {
  /** A store of ours takes as much in whatever memory. */
  private static final double LEAST = 64 * Bytes.MIB;

  /**
   * Where the limit is the model's, a store has room for what people add to a small cluster. The
   * model's least limit loads as much of ordinary objects. Of custom resources with thousands of
   * small fields, it loads a fifth of that, and the limit grows.
   */
  private static final double USUAL = 256 * Bytes.MIB;

  /** MiB above which a quota is written in GiB: it has four digits. */
  private static final long MOST_MEBIBYTES = 9_999;

  /** Beside the limit that the user named, or else the model's. */
  static StoreRoom of(Estimate estimate, Optional<Long> namedBytes, List<Store> loaded) {
    return namedBytes
        .map(bytes -> new StoreRoom(estimate, bytes, LEAST, loaded))
        .orElseGet(() -> new StoreRoom(estimate, (long) estimate.memoryLimit(), USUAL, loaded));
  }

  /**
   * The quota of a new store: its part of what can be loaded, but room for what is expected in any
   * case; nothing if the store takes no more anyway.
   *
   * @param takes bytes that it would take otherwise
   */
  Optional<String> quota(Store store, double takes) {
    double all = loaded.stream().mapToDouble(Store::keptBytes).sum();
    double part = estimate.bytesToLoad(limitBytes) * store.keptBytes() / Math.max(1, all);
    double least = Math.max(leastBytes, store.roomyBytes());
    double bytes = Math.max(least, part);
    return bytes < takes ? Optional.of(text(bytes, least)) : Optional.empty();
  }

  /**
   * An amount in the form of a quota: less than so many bytes rather than more, but no less than
   * the least.
   */
  static String text(double bytes, double leastBytes) {
    long mebibytes = (long) Math.ceil(bytes / Bytes.MIB);
    if (mebibytes <= MOST_MEBIBYTES) {
      return mebibytes + "Mi";
    }
    return (long) Math.max(Math.floor(bytes / Bytes.GIB), Math.ceil(leastBytes / Bytes.GIB)) + "Gi";
  }

  /**
   * What is to be said of stores whose room the user named, too.
   *
   * @param takes bytes that all together take that are loaded
   */
  Optional<Problem> problem(double takes) {
    double needed = estimate.memoryToLoad(takes);
    return needed <= limitBytes
        ? Optional.empty()
        : Optional.of(
            new Problem(
                Reason.LimitsExceeded,
                "the stores take up to %s, and a kube-apiserver needs %s of memory to load that, by the model, if all are custom resources; spec.apiServer.resources limits the memory to %s. Raise the limit to %s, or lower memory.quota in spec.storage.stores to %s for all stores together"
                    .formatted(
                        Bytes.text(takes),
                        Bytes.text(needed),
                        Bytes.text(limitBytes),
                        Bytes.text(needed),
                        Bytes.text(Math.max(LEAST, estimate.bytesToLoad(limitBytes))))));
  }

  /** Whether the user named how much a store may hold, by its quota or its memory. */
  static boolean isNamed(StoreTemplate store) {
    return hasQuota(store.memory()) || ContainerMemory.named(store.resources()).isPresent();
  }

  static boolean hasQuota(MemoryEngineSpec memory) {
    return memory != null && memory.quota() != null;
  }

  /** A store with this quota. */
  static StoreTemplate with(StoreTemplate store, String quota) {
    MemoryEngineSpec own = store.memory();
    return new StoreTemplate(
        store.name(),
        store.criticality(),
        store.engine(),
        new MemoryEngineSpec(
            own == null ? null : own.durability(), quota, own == null ? null : own.prefixes()),
        store.storage(),
        store.resources());
  }
}
