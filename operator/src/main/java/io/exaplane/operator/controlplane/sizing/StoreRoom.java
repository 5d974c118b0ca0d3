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
 * seconds is faster than a larger limit. Bytes say little of that, so the store also counts what
 * its objects take decoded, and has a quota of it. Pure.
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
   * Room for what people add to a small cluster. The model's least limit loads as much of ordinary
   * objects; custom resources with thousands of small fields reach the quota of load before.
   */
  private static final double USUAL = 256 * Bytes.MIB;

  /** What ordinary objects take decoded, by what is stored of them; small Secrets take more. */
  private static final double ORDINARY_RATIO = 3;

  /** Part of what is expected, with its room, below which a quota of load is too small. */
  private static final double CLOSE = 0.9;

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
    double ordinary = Math.min(USUAL, loadBytes(store) / ORDINARY_RATIO);
    double bytes = Math.max(Math.max(least, ordinary), part);
    return bytes < takes ? Optional.of(text(bytes, least)) : Optional.empty();
  }

  /** The quota of what kube-apiservers load of a new store. */
  String loadQuota(Store store) {
    return text(loadBytes(store), store.countedLoad());
  }

  /** Its part of the memory that they have for objects, but room for what is expected. */
  private double loadBytes(Store store) {
    double all = loaded.stream().mapToDouble(Store::countedLoad).sum();
    double part = estimate.objectMemory(limitBytes) * store.countedLoad() / Math.max(1, all);
    return Math.max(store.countedLoad(), Math.floor(part / Bytes.MIB) * Bytes.MIB);
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

  /**
   * The same where each of these stores bounds what is loaded of it.
   *
   * @param load bytes of one kube-apiserver's memory that all together may take
   */
  Optional<Problem> loadProblem(double load) {
    double room = estimate.objectMemory(limitBytes);
    return load <= room
        ? Optional.empty()
        : Optional.of(
            new Problem(
                Reason.LimitsExceeded,
                "the objects of the stores may take up to %s of a kube-apiserver's memory (memory.loadQuota), and it has %s for objects, by the model; spec.apiServer.resources limits the memory to %s. Raise the limit to %s, or lower memory.loadQuota in spec.storage.stores to %s for all stores together"
                    .formatted(
                        Bytes.text(load),
                        Bytes.text(room),
                        Bytes.text(limitBytes),
                        Bytes.text(estimate.memoryForObjects(load)),
                        Bytes.text(Math.max(LEAST, room)))));
  }

  /**
   * What is to be said of a store whose quota of load is too small for what is expected, as when
   * {@code maxNodes} grew after the store was made: the quota that it has stays.
   *
   * @param quotaBytes that it has
   * @param isFixed whether its pod takes up no other quota
   */
  static Optional<Problem> tooSmall(Store expected, long quotaBytes, boolean isFixed) {
    double needed = expected.countedLoad();
    return quotaBytes >= CLOSE * needed
        ? Optional.empty()
        : Optional.of(
            new Problem(
                Reason.LimitsExceeded,
                "the store %s takes objects for at most %s of a kube-apiserver's memory (memory.loadQuota), but the expected objects need %s there. A full store refuses writes; %s"
                    .formatted(
                        expected.name(),
                        Bytes.text(quotaBytes),
                        Bytes.text(needed),
                        isFixed
                            ? "create a control plane with larger stores, since this store's pod gets"
                                + " new settings only when you delete the pod with its data"
                            : "set memory.loadQuota of this store to %s in spec.storage.stores, which restarts the store"
                                .formatted(text(needed, needed)))));
  }

  /** Whether the user named how much a store may hold, by its quotas or its memory. */
  static boolean isNamed(StoreTemplate store) {
    return hasQuota(store.memory())
        || hasLoadQuota(store.memory())
        || ContainerMemory.named(store.resources()).isPresent();
  }

  static boolean hasQuota(MemoryEngineSpec memory) {
    return memory != null && memory.quota() != null;
  }

  static boolean hasLoadQuota(MemoryEngineSpec memory) {
    return memory != null && memory.loadQuota() != null;
  }

  /** A store with these quotas; null for none. */
  static StoreTemplate with(StoreTemplate store, String quota, String loadQuota) {
    MemoryEngineSpec own = store.memory();
    return new StoreTemplate(
        store.name(),
        store.criticality(),
        store.engine(),
        new MemoryEngineSpec(
            own == null ? null : own.durability(),
            quota,
            loadQuota,
            own == null ? null : own.prefixes()),
        store.storage(),
        store.resources());
  }
}
