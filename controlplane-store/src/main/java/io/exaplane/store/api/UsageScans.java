// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Records;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Reads the whole store for who asks what takes its space: at most twice a minute, whoever and
 * however many ask. Each piece is read as it is then, so that nothing is held up. Thread-safe.
 */
final class UsageScans {
  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Groups that are named, of which a page may show fewer. */
  static final int MOST_GROUPS = 100;

  private static final int PIECE_KEYS = 4096;

  private final Keyspace keyspace;
  private final MaintenanceWorker worker;
  private final LongSupplier calendarMs;
  private final LongSupplier nanoTime;
  private volatile long scannedNanos;
  private CompletableFuture<StoreUsage> last;

  /**
   * @param calendarMs milliseconds since 1970, which the answers name
   * @param nanoTime by which they age, since somebody may set the calendar
   */
  UsageScans(
      Keyspace keyspace, MaintenanceWorker worker, LongSupplier calendarMs, LongSupplier nanoTime) {
    this.keyspace = keyspace;
    this.worker = worker;
    this.calendarMs = calendarMs;
    this.nanoTime = nanoTime;
  }

  /** The last one if it is fresh, or under way, or else a new one. */
  synchronized CompletableFuture<StoreUsage> ask() {
    if (last == null || last.isDone() && !isFresh()) {
      try {
        last = worker.submit(this::scan);
      } catch (StoreException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return last.copy();
  }

  private boolean isFresh() {
    return !last.isCompletedExceptionally() && nanoTime.getAsLong() - scannedNanos < FRESH_NANOS;
  }

  /** By the maintenance thread. */
  private StoreUsage scan(EpochReclaimer.Reader epoch) {
    UsageScan scan = new UsageScan(MOST_GROUPS);
    RangeReader reader = new RangeReader(keyspace);
    KeyRange range = KeyRange.all();
    while (range != null && !Thread.currentThread().isInterrupted()) {
      epoch.enter();
      try {
        View view = keyspace.view();
        reader.open(view, range, view.revision());
        long record = reader.next();
        for (int i = 0; record != 0 && i < PIECE_KEYS; i++) {
          scan.add(
              Records.copyKey(keyspace.memory(), record),
              Records.size(keyspace.memory(), record),
              keyspace.space().loadOf(record));
          record = reader.next();
        }
        range =
            record == 0
                ? null
                : KeyRange.of(Records.copyKey(keyspace.memory(), record), new byte[1]);
        reader.close();
      } finally {
        epoch.leave();
      }
    }
    scannedNanos = nanoTime.getAsLong();
    return scan.end(calendarMs.getAsLong());
  }
}
