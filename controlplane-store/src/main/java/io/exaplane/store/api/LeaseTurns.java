// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.lease.Lease;
import java.util.concurrent.TimeUnit;

/** What the passing of time does to leases. Used by the writer. */
final class LeaseTurns {
  /** As etcd's interval of checkpoints. */
  private static final long CHECKPOINT_MS = TimeUnit.MINUTES.toMillis(5);

  private final Applier applier;
  private long checkpointMs;
  private long expired;

  LeaseTurns(Applier applier) {
    this.applier = applier;
    this.checkpointMs = applier.clockMs().getAsLong();
  }

  /**
   * Ends leases whose time is over, and has the time noted when that is due, so that a lease that
   * is long has not its whole time again after each start.
   *
   * @return whether anything changed
   */
  boolean pass() {
    long nowMs = applier.clockMs().getAsLong();
    applier.leases().passed(nowMs);
    boolean any = false;
    if (nowMs - checkpointMs >= CHECKPOINT_MS) {
      any = note();
    }
    for (Lease lease = applier.leases().firstExpired(nowMs);
        lease != null;
        lease = applier.leases().firstExpired(nowMs)) {
      applier.executor().revoke(lease);
      expired++;
      any = true;
    }
    return any;
  }

  /** How many leases ended because their time was over. */
  long expired() {
    return expired;
  }

  /** Has the time noted if there are leases, and says so. */
  boolean note() {
    checkpointMs = applier.clockMs().getAsLong();
    boolean any = applier.leases().size() > 0;
    if (any) {
      applier.leases().note(checkpointMs);
    }
    return any;
  }
}
