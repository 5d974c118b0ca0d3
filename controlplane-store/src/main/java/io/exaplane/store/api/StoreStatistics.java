// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.watch.WatchStatistics;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.PrefixSpace;
import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.journal.Recovered;
import io.exaplane.store.stats.Histogram;
import java.util.List;

/**
 * How a store is doing.
 *
 * @param recovered what was found at the start
 * @param recordBytes of all versions that are kept
 * @param liveBytes of the newest versions of the keys that exist
 * @param loadBytes of a kube-apiserver's memory that these take, as estimated
 * @param reserveUsedBytes of what is above the limit of records
 * @param compactionsForSpace that were done because space was short
 * @param takenBytes of memory for them, in whole segments
 * @param indexBytes on the heap, as estimated
 * @param events changes that a watch may still start from
 * @param prefixes those that have a quota of their own
 * @param ages of the keys below the prefixes of rules
 * @param syncTimes how long batches took to become durable
 * @param logBytes of the journal that the next start would read
 * @param waitingWrites requests that the writer has not taken yet
 * @param refusedWrites since the start, because the journal could not be written
 * @param work of the writer
 * @param watches by event loop
 */
public record StoreStatistics(
    Recovered recovered,
    long revision,
    long durableRevision,
    long compactedRevision,
    long recordBytes,
    long liveBytes,
    long loadBytes,
    long reserveUsedBytes,
    long compactionsForSpace,
    long takenBytes,
    long indexBytes,
    SpaceLimits limits,
    boolean full,
    long events,
    int leases,
    List<Kind> kinds,
    List<PrefixSpace> prefixes,
    List<WriteAges.Answer> ages,
    Histogram.Times syncTimes,
    long logBytes,
    int waitingWrites,
    long refusedWrites,
    Work work,
    List<WatchStatistics> watches) {
  /** Before anything was asked. */
  public static final StoreStatistics UNKNOWN =
      new StoreStatistics(
          Recovered.EMPTY,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          SpaceLimits.of(0, 0, 0),
          false,
          0,
          0,
          List.of(),
          List.of(),
          List.of(),
          Histogram.Times.NONE,
          0,
          0,
          0,
          new Work(0, 0, 0),
          List.of());

  /**
   * What the writer did since the start.
   *
   * @param slowApplies batches that took longer than 100 ms, without their disk
   * @param expiredLeases whose time was over
   * @param ranges in Txns
   */
  public record Work(long slowApplies, long expiredLeases, long ranges) {}

  /**
   * Keys of a Kind to which a rule applies.
   *
   * @param historyStart below it nothing can be asked for
   * @param bytes of all versions that are kept
   * @param liveBytes of the newest ones of the keys that exist
   * @param loadBytes of a kube-apiserver's memory that these take, as estimated
   * @param puts since the start
   * @param deletes since the start
   */
  public record Kind(
      String name,
      String prefix,
      long historyStart,
      long keys,
      long bytes,
      long liveBytes,
      long loadBytes,
      long puts,
      long deletes) {}
}
