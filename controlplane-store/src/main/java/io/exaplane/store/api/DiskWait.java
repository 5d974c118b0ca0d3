// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.function.LongSupplier;

/** How long the writer waits for its disk. Noted by the writer, read by any thread. */
final class DiskWait {
  private final LongSupplier nanoTime;
  private long sinceNanos;
  private volatile boolean waits; // written after sinceNanos, read before it

  DiskWait(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void begin() {
    sinceNanos = nanoTime.getAsLong();
    waits = true;
  }

  void end() {
    waits = false;
  }

  /** Since when the disk has not answered; 0 if nothing is asked of it. */
  long nanos() {
    return waits ? Math.max(0, nanoTime.getAsLong() - sinceNanos) : 0;
  }
}
