// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.wire.page.BodyMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what messages take of which a part has come and the rest is still awaited. A connection
 * may take as much as is left for all others (a dynamic threshold, Choudhury and Hahne 1998), so
 * that one alone has half of everything and many share; and when nothing is left, a usual request
 * out of a reserve. Belongs to a connection's event loop.
 */
final class PartialBytes implements BodyMemory {
  /** Of all connections, where the memory allows as much. */
  static final long MOST = 128 << 20;

  /** Of which the reserve is one. */
  private static final int RESERVE_PARTS = 4;

  private static final long USUAL_REQUEST = 64 << 10;

  /** Two requests of etcd's largest size: no client of ours leaves so much unfinished for long. */
  private static final long GREEDY = 4 << 20;

  private final AtomicLong all;
  private final long most;
  private long taken;

  /**
   * @param all what all connections take
   */
  PartialBytes(AtomicLong all) {
    this(all, BufferMemory.mostUnfinishedBytes());
  }

  /**
   * @param most that all connections may take
   */
  PartialBytes(AtomicLong all, long most) {
    this.all = all;
    this.most = most;
  }

  @Override
  public boolean take(int bytes) {
    long left = most - all.addAndGet(bytes);
    boolean isSmall = taken + bytes <= USUAL_REQUEST && left > -most / RESERVE_PARTS;
    if (taken + bytes > left && !isSmall) {
      all.addAndGet(-bytes);
      return false;
    }
    taken += bytes;
    return true;
  }

  boolean isNone() {
    return taken == 0;
  }

  /** The connection itself takes much; what is refused is not the fault of others. */
  boolean isGreedy() {
    return taken > GREEDY;
  }

  @Override
  public void giveBack(int bytes) {
    taken -= bytes;
    all.addAndGet(-bytes);
  }
}
