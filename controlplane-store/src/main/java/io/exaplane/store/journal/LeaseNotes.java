// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.LeaseListener;

/** Notes what becomes of leases. Used by the writer. */
final class LeaseNotes implements LeaseListener {
  private final Entries entries;
  private final Runnable noted;

  /**
   * @param noted told after each note
   */
  LeaseNotes(Entries entries, Runnable noted) {
    this.entries = entries;
    this.noted = noted;
  }

  @Override
  public void changed(Lease lease) {
    entries.lease(lease.id(), lease.ttlSeconds(), lease.deadlineMs());
    noted.run();
  }

  @Override
  public void ended(Lease lease) {
    entries.leaseEnded(lease.id());
    noted.run();
  }

  @Override
  public void passed(long nowMs) {
    entries.passed(nowMs);
    noted.run();
  }
}
