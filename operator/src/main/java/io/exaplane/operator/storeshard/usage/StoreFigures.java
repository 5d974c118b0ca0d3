// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreRecovered;
import java.time.Instant;
import java.util.Objects;

/**
 * What a store measured.
 *
 * @param durableRevision null if the store does not say it
 * @param load bytes of a kube-apiserver's memory; null if the store does not say it
 * @param loadQuota null if there is none
 * @param recovered null if the store does not say it
 */
public record StoreFigures(
    long revision,
    Long durableRevision,
    long compactedRevision,
    long keys,
    long bytes,
    long quota,
    Long load,
    Long loadQuota,
    long watchers,
    Instant started,
    StoreRecovered recovered) {
  /** Leases alone raise the revision of a small idle cluster by less in ten hours. */
  private static final long MOST_UNTOLD_REVISIONS = 100_000;

  /** Differences of a small store that are no news, though they may be a large part of it. */
  private static final long FEW_KEYS = 100;

  private static final long FEW_WATCHERS = 100;
  private static final long FEW_BYTES = 16 << 20;

  /** Whether later figures are worth a write of the status, though only heartbeats were written. */
  boolean areFarFrom(StoreFigures later) {
    boolean sameKinds =
        quota == later.quota
            && Objects.equals(loadQuota, later.loadQuota)
            && Objects.equals(recovered, later.recovered)
            && (load == null) == (later.load == null)
            && (durableRevision == null) == (later.durableRevision == null);
    return !sameKinds
        || Math.abs(later.revision - revision) >= MOST_UNTOLD_REVISIONS
        || differ(keys, later.keys, FEW_KEYS)
        || differ(watchers, later.watchers, FEW_WATCHERS)
        || differ(bytes, later.bytes, FEW_BYTES)
        || load != null && differ(load, later.load, FEW_BYTES);
  }

  /** By more than a tenth and more than a few. */
  private static boolean differ(long before, long later, long few) {
    return Math.abs(later - before) > Math.max(few, before / 10);
  }

  static StoreFigures of(StorePage page) {
    return new StoreFigures(
        page.revision(),
        page.durableRevision(),
        page.compactedRevision(),
        page.keys(),
        page.bytes(),
        page.quotaBytes(),
        page.load().bytes(),
        page.load().quotaBytes(),
        page.watchers(),
        Instant.ofEpochSecond(page.startedSeconds()),
        page.recovered());
  }
}
