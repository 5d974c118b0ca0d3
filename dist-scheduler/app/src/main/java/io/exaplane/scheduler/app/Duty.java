// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.kube.Access;
import io.exaplane.scheduler.kube.ApiStream;
import io.exaplane.scheduler.kube.RealPace;
import io.exaplane.scheduler.lease.Lease;
import io.exaplane.scheduler.lease.Standing;
import io.exaplane.scheduler.root.Root;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Makes sure that this process may read what decides, waits until it is in charge, and decides for
 * as long as it is. What the cluster is like is read only then: so nothing is missed that the one
 * before did last.
 */
final class Duty {
  private static final Logger LOG = Logger.getLogger(Duty.class);
  private static final long LOOK_MS = 100;
  private static final int LOST = 1;

  /** Beside what is under way. */
  private static final Duration END = Duration.ofSeconds(10);

  private final Root root;
  private final ApiStream reads;
  private final Committer committer;
  private final Duration bindingTimeout;
  private final Lease lease;
  private final Status status;
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Of a root that does not run yet.
   *
   * @param reads by which it reads
   * @param committer is closed when it ends
   * @param bindingTimeout after which bindings that were sent arrive no more
   * @param lease null if nobody else can be in charge
   */
  Duty(
      Root root,
      ApiStream reads,
      Committer committer,
      Duration bindingTimeout,
      Lease lease,
      Status status) {
    this.root = root;
    this.reads = reads;
    this.committer = committer;
    this.bindingTimeout = bindingTimeout;
    this.lease = lease;
    this.status = status;
  }

  /** Returns the process's exit code: 0 if it was asked to end, 1 if it has to begin anew. */
  int run() {
    Thread here = Thread.currentThread();
    Thread asked = Thread.ofPlatform().unstarted(() -> endWith(here));
    Runtime.getRuntime().addShutdownHook(asked);
    try {
      return untilItEnds();
    } catch (InterruptedException e) {
      LOG.info("this process was told to end");
      return 0;
    } finally {
      ended.countDown();
      forget(asked);
    }
  }

  /** The virtual machine waits for its hooks, not for the thread that does the work. */
  private void endWith(Thread worker) {
    worker.interrupt();
    try {
      if (!ended.await(END.plus(bindingTimeout).toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("this process did not end in time; requests under way may be lost");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is what ended this.
    }
  }

  private int untilItEnds() throws InterruptedException {
    Access.await(reads, root.resources(), new RealPace());
    Thread asking = lease == null ? null : Thread.ofVirtual().name("lease").start(lease);
    Thread deciding = null;
    try {
      status.waits(lease);
      while (lease != null && lease.standing() == Standing.WAITING) {
        if (!asking.isAlive()) {
          LOG.error("the thread that renews the Lease stopped; this process ends");
          return LOST;
        }
        Thread.sleep(LOOK_MS);
      }
      status.runs(root);
      deciding = Thread.ofPlatform().name("root").start(root);
      while (deciding.isAlive()
          && (lease == null || (lease.standing() != Standing.LOST && asking.isAlive()))) {
        deciding.join(LOOK_MS);
      }
      LOG.error(
          lease != null && lease.standing() == Standing.LOST
              ? "another process is in charge; this process ends"
              : "the thread that places pods stopped; this process ends");
      return LOST;
    } finally {
      end(asking, deciding);
    }
  }

  private void end(Thread asking, Thread deciding) {
    try {
      root.close();
      if (deciding != null) {
        deciding.join(TimeUnit.SECONDS.toMillis(2));
      }
      if (asking != null) {
        asking.interrupt();
        asking.join(TimeUnit.SECONDS.toMillis(2));
        committer.close();
        if (deciding != null && lease.standing() != Standing.LOST) {
          // What is under way arrives before anybody else is in charge.
          Thread.sleep(bindingTimeout);
        }
        lease.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
