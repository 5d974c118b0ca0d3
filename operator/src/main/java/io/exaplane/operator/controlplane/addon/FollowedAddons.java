// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.status.News;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The add-ons of one control plane, as long as there is a connection to its API: one virtual thread
 * makes rounds. Thread-safe; closed with its connection.
 */
final class FollowedAddons implements HostedCluster.Attachment {
  private static final Logger LOG = Logger.getLogger(FollowedAddons.class);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(30);

  private final Semaphore signals = new Semaphore(0);
  private final String name;
  private final AddonRounds rounds;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean ended;

  /**
   * Begins, and does not wait.
   *
   * @param name of the control plane, for logs
   */
  FollowedAddons(
      String name,
      AddonEngine.Maker maker,
      AddonReader reader,
      Runnable changed,
      Consumer<News> news,
      Clock clock) {
    this.name = name;
    rounds =
        new AddonRounds(
            maker,
            reader,
            this::signal,
            changed,
            news,
            clock,
            new SplittableRandom(name.hashCode()));
    thread = Thread.ofVirtual().name("addons-" + name).start(this::run);
  }

  private void signal() {
    if (signals.availablePermits() == 0) {
      signals.release();
    }
  }

  /** What holds from now on. */
  void plan(AddonPlan plan) {
    if (rounds.plan(plan)) {
      signal();
    }
  }

  /** What was seen of the sources, by name. */
  Map<String, AddonReport> reports() {
    return rounds.reports();
  }

  private void run() {
    try {
      while (!closed) {
        Duration wait = round();
        if (signals.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS)) {
          signals.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      LOG.debugf("add-ons of %s are no longer followed", name);
    } finally {
      ended = true;
      rounds.end();
    }
  }

  private Duration round() throws InterruptedException {
    try {
      return rounds.round();
    } catch (RuntimeException | Error e) {
      if (closed) {
        rounds.reset();
      } else {
        LOG.errorf(e, "add-ons of %s begin again in %d s", name, AFTER_FAULT.toSeconds());
        rounds.failed();
      }
      return AFTER_FAULT;
    }
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
