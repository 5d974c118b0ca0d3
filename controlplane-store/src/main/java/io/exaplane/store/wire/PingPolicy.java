// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.concurrent.TimeUnit;

/**
 * How often a client may ping: every 5 seconds while it has calls, as etcd's servers allow; without
 * calls every two hours. Two pings too many are forgiven, and all are when something was sent. Used
 * by one thread.
 */
final class PingPolicy {
  private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long MIN_IDLE_NANOS = TimeUnit.HOURS.toNanos(2);
  private static final int FORGIVEN = 2;

  private long lastNanos = Long.MIN_VALUE;
  private int strikes;

  /** Something was sent to the client. */
  void wrote() {
    strikes = 0;
    lastNanos = Long.MIN_VALUE;
  }

  /** Takes a ping in and says whether the client may go on. */
  boolean allows(long nowNanos, boolean hasCalls) {
    long least = hasCalls ? MIN_NANOS : MIN_IDLE_NANOS;
    if (lastNanos != Long.MIN_VALUE && nowNanos - lastNanos < least) {
      strikes++;
    }
    lastNanos = nowNanos;
    return strikes <= FORGIVEN;
  }
}
