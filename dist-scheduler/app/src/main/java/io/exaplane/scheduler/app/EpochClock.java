// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Nanoseconds since 1970 as they were known at the start, which never go back. Any thread. */
final class EpochClock implements LongSupplier {
  private final long offsetNs =
      TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();

  @Override
  public long getAsLong() {
    return System.nanoTime() + offsetNs;
  }
}
