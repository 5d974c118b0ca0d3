// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.hosted.HostedCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The Nodes of one cluster, as long as there is a connection to it: one watch, one virtual thread,
 * and at most one write at a time. Thread-safe; closed with its connection.
 */
final class FollowedCluster implements HostedCluster.Attachment {
  private static final Logger LOG = Logger.getLogger(FollowedCluster.class);

  /** A Node with its images has up to 20 KB. */
  private static final long PAGE_NODES = 200;

  /** What comes in one such moment is answered together. */
  private static final Duration TOGETHER = Duration.ofMillis(50);

  private static final Duration UNTIL_LISTED = Duration.ofMillis(250);

  /** A cluster that does not list its Nodes does not keep the others waiting for longer. */
  private static final Duration MOST_TURN = Duration.ofSeconds(30);

  private final Semaphore signals = new Semaphore(0);
  private final String name;
  private final Semaphore turns;
  private final SharedIndexInformer<Node> informer;
  private final NodeItems items;
  private final NodeRounds rounds;
  private final Thread thread;
  private volatile boolean listed;
  private volatile boolean closed;
  private volatile boolean ended;

  /**
   * Begins to follow, and does not wait.
   *
   * @param client the connection's
   * @param name of the cluster, for logs
   * @param turns how many clusters may list their Nodes at once
   */
  FollowedCluster(KubernetesClient client, String name, Semaphore turns, Clock clock) {
    this.name = name;
    this.turns = turns;
    items = new NodeItems(this::signal);
    rounds = new NodeRounds(items, new ApiNodeWriter(client), name, clock);
    informer =
        client
            .nodes()
            .withLimit(PAGE_NODES)
            .runnableInformer(0)
            .removeNamespaceIndex()
            .itemStore(items)
            .exceptionHandler((_, failure) -> again(failure));
    thread = Thread.ofVirtual().name("nodes-" + name).start(this::run);
  }

  /** The informer waits a little longer after each failure by itself. */
  private boolean again(Throwable failure) {
    LOG.debugf(failure, "the Nodes of %s are listed again", name);
    return !closed;
  }

  private void signal() {
    if (signals.availablePermits() == 0) {
      signals.release();
    }
  }

  /** What holds from now on. */
  void plan(ClusterPlan plan, Consumer<String> changed) {
    if (rounds.plan(plan, changed)) {
      signal();
    }
  }

  /** Counts of a pool; empty until all Nodes were read. */
  Optional<NodeCounts> counts(String pool) {
    return rounds.counts(pool);
  }

  /** All Nodes; empty until they were listed, and after the end. */
  Optional<List<NodeSight>> nodes() {
    return listed && !ended ? Optional.of(items.sights()) : Optional.empty();
  }

  /** The Nodes of a pool; empty until all were listed, and after the end. */
  Optional<List<NodeTurn>> turns(String pool) {
    return listed && !ended
        ? Optional.of(
            items.turns(pool).stream()
                .map(node -> rounds.moves(node) ? node.moving() : node)
                .toList())
        : Optional.empty();
  }

  private void run() {
    try {
      list();
      listed = true;
      while (!closed) {
        Duration wait = rounds.round(true);
        if (signals.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS)) {
          // Not a wait for somebody: who writes a thousand times is answered once.
          TimeUnit.MILLISECONDS.sleep(TOGETHER.toMillis());
          signals.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      LOG.debugf("the Nodes of %s are no longer followed", name);
    } catch (RuntimeException e) {
      if (!closed) {
        LOG.errorf(e, "the Nodes of %s are not followed until the next reconciliation", name);
      }
    } finally {
      // First, so that the passes that this brings begin again.
      ended = true;
      informer.close();
      // After a failure the regular pass begins again: at once would be the same failure at once.
      rounds.end(closed);
    }
  }

  private void list() throws InterruptedException {
    turns.acquire();
    try {
      informer.start();
      long deadline = System.nanoTime() + MOST_TURN.toNanos();
      while (!informer.hasSynced() && System.nanoTime() < deadline) {
        signals.tryAcquire(UNTIL_LISTED.toMillis(), TimeUnit.MILLISECONDS);
      }
    } finally {
      turns.release();
    }
    while (!informer.hasSynced()) {
      signals.tryAcquire(UNTIL_LISTED.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Whether somebody has to begin again. */
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
