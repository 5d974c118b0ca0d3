// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what messages take of which a part has come and the rest is still awaited: for one
 * connection and for all of them together. Belongs to a connection's event loop.
 */
final class PartialBytes {
  private static final long MOST_PER_CONNECTION = 16 << 20;
  private static final long MOST = 96 << 20;

  private final AtomicLong all;
  private long taken;

  /**
   * @param all what all connections take
   */
  PartialBytes(AtomicLong all) {
    this.all = all;
  }

  /** Takes so many, or says no. */
  boolean take(int bytes) {
    if (taken + bytes > MOST_PER_CONNECTION) {
      return false;
    }
    if (all.addAndGet(bytes) > MOST) {
      all.addAndGet(-bytes);
      return false;
    }
    taken += bytes;
    return true;
  }

  void giveBack(int bytes) {
    taken -= bytes;
    all.addAndGet(-bytes);
  }
}
