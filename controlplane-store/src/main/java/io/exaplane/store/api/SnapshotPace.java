// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.concurrent.TimeUnit;

/**
 * How slowly a client may take a snapshot: all that is written meanwhile is kept for its sake. A
 * slow client is waited for as long as there is room, and given up when the store is full. Pure.
 */
final class SnapshotPace {
  static final long STALLED_S = 60;

  /** Bytes a second; slower ones are given up in a full store. */
  static final long SLOW = 1 << 20;

  /** Slower ones are given up in any store, so that the time is bounded. */
  static final long SLOWEST = 64 << 10;

  private SnapshotPace() {}

  /**
   * Why a client is given up.
   *
   * @param sentBytes so far
   * @param nanos since the first of them was made
   * @param idleNanos since the client last took something
   * @param isFull whether the store has no room for more
   * @return words for the client; empty if it may go on
   */
  static String verdict(long sentBytes, long nanos, long idleNanos, boolean isFull) {
    if (idleNanos >= TimeUnit.SECONDS.toNanos(STALLED_S)) {
      return "the client read nothing of the snapshot for %d s; take the snapshot again"
          .formatted(STALLED_S);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
    long rate = sentBytes / Math.max(1, seconds);
    if (seconds <= STALLED_S || rate >= SLOW) {
      return "";
    }
    if (rate < SLOWEST) {
      return "the client reads %d KiB of the snapshot a second, less than %d; take the snapshot over a faster network"
          .formatted(rate >> 10, SLOWEST >> 10);
    }
    return isFull
        ? "the store is full, and the client reads only %d KiB of the snapshot a second, less than 1 MiB. Until the snapshot ends, the store keeps all old versions. Make room, or take the snapshot over a faster network"
            .formatted(rate >> 10)
        : "";
  }
}
