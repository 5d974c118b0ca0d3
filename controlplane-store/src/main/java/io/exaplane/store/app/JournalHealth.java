// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.StoreServices;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Why nothing can be written now, in words for probes; empty if it can. A disk that is slow for a
 * moment is none of that. Thread-safe.
 */
final class JournalHealth implements Supplier<String> {
  private static final System.Logger LOG = System.getLogger(JournalHealth.class.getName());

  private final BooleanSupplier isStalled;
  private final LongSupplier diskWaitNanos;
  private final AtomicBoolean isTold = new AtomicBoolean();

  /**
   * @param isStalled whether the disk refuses writes
   * @param diskWaitNanos how long it has not answered one
   */
  JournalHealth(BooleanSupplier isStalled, LongSupplier diskWaitNanos) {
    this.isStalled = isStalled;
    this.diskWaitNanos = diskWaitNanos;
  }

  /** Whether the disk has not answered for longer than a bound. */
  boolean hangs() {
    return diskWaitNanos.getAsLong() > StoreServices.DISK_PATIENCE_NANOS;
  }

  @Override
  public String get() {
    if (isStalled.getAsBoolean()) {
      return "JOURNAL CAN'T BE WRITTEN";
    }
    boolean hangs = hangs();
    if (isTold.compareAndSet(!hangs, hangs)) {
      LOG.log(
          hangs ? System.Logger.Level.ERROR : System.Logger.Level.INFO,
          hangs
              ? "the disk of the data folder has not answered a write for 5 s: the store is not ready, and"
                  + " writes wait for the disk; check the disk"
              : "the disk of the data folder answers again");
    }
    return hangs
        ? "DISK HAS NOT ANSWERED FOR %d S"
            .formatted(TimeUnit.NANOSECONDS.toSeconds(diskWaitNanos.getAsLong()))
        : "";
  }
}
