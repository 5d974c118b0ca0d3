// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock by which leases end: milliseconds that go on from the latest time that the store's
 * files tell of, by the machine's monotonic clock. What its calendar says, and whether somebody
 * sets it, while the store runs or while it is away, is nothing to it. Thread-safe.
 */
public final class StoreClock {
  private StoreClock() {}

  /**
   * A clock that begins now.
   *
   * @param latestMs the latest time that was seen by it before; 0 for none
   */
  public static LongSupplier after(long latestMs) {
    return after(latestMs, System::currentTimeMillis, System::nanoTime);
  }

  /**
   * A clock that begins now.
   *
   * @param calendarMs asked once, by a store that knows no time yet: stores of before counted so
   */
  static LongSupplier after(long latestMs, LongSupplier calendarMs, LongSupplier nanos) {
    long startMs = latestMs > 0 ? latestMs : calendarMs.getAsLong();
    long startNanos = nanos.getAsLong();
    return () -> startMs + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - startNanos);
  }
}
