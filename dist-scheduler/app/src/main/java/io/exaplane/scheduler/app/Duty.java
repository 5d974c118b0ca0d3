// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.lease.Lease;
import io.exaplane.scheduler.lease.Standing;
import io.exaplane.scheduler.root.Root;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Waits until this process is in charge, and decides for as long as it is. What the cluster is like
 * is read only then: so nothing is missed that the one before did last.
 */
final class Duty {
  private static final Logger LOG = Logger.getLogger(Duty.class);
  private static final long LOOK_MS = 100;
  private static final int LOST = 1;

  private final Root root;
  private final Lease lease;
  private final Status status;

  /**
   * Of a root that does not run yet.
   *
   * @param lease null if nobody else can be in charge
   */
  Duty(Root root, Lease lease, Status status) {
    this.root = root;
    this.lease = lease;
    this.status = status;
  }

  /** Returns the process's exit code: 0 if it was asked to end, 1 if it has to begin anew. */
  int run() throws InterruptedException {
    Thread asking = lease == null ? null : Thread.ofVirtual().name("lease").start(lease);
    Thread deciding = null;
    try {
      status.waits();
      while (lease != null && lease.standing() == Standing.WAITING) {
        Thread.sleep(LOOK_MS);
      }
      status.runs(root);
      deciding = Thread.ofPlatform().name("root").start(root);
      while (deciding.isAlive() && (lease == null || lease.standing() != Standing.LOST)) {
        deciding.join(LOOK_MS);
      }
      LOG.error(
          deciding.isAlive()
              ? "somebody else is in charge; this process ends"
              : "nothing is decided any more; this process ends");
      return LOST;
    } finally {
      end(asking, deciding);
    }
  }

  private void end(Thread asking, Thread deciding) {
    boolean interrupted = Thread.interrupted();
    try {
      root.close();
      if (deciding != null) {
        deciding.join(TimeUnit.SECONDS.toMillis(2));
      }
      if (asking != null) {
        asking.interrupt();
        asking.join(TimeUnit.SECONDS.toMillis(2));
        lease.release();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
