// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.nodepool.address.NodeSight;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The agents of one cluster, as long as there is a connection to it: a watch of all DaemonSets, one
 * of the pods of each listed DaemonSet, and one virtual thread that looks and acts. Thread-safe;
 * closed with its connection.
 */
final class FollowedAgents implements HostedCluster.Attachment, AgentWorld {
  private static final Logger LOG = Logger.getLogger(FollowedAgents.class);
  private static final long PAGE = 500;

  /** What comes in one such moment is looked at together. */
  private static final Duration TOGETHER = Duration.ofMillis(250);

  private final Semaphore signals = new Semaphore(0);
  private final Map<String, Followed> pods = new HashMap<>();
  private final AgentSets items = new AgentSets(this::signal);
  private final KubernetesClient client;
  private final String name;
  private final Supplier<Optional<List<NodeSight>>> nodes;
  private final Supplier<Optional<GateReading>> gate;
  private final Clock clock;
  private final AgentRounds rounds;
  private final SharedIndexInformer<DaemonSet> sets;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean ended;

  /** Pods of one DaemonSet; used by the rounds' thread. */
  private record Followed(AgentPods items, SharedIndexInformer<Pod> informer) {}

  /**
   * Begins to follow, and does not wait.
   *
   * @param client the connection's
   * @param nodes of the cluster; empty until they were listed
   * @param gate the last look at its kube-apiservers
   */
  FollowedAgents(
      KubernetesClient client,
      Supplier<Optional<List<NodeSight>>> nodes,
      Supplier<Optional<GateReading>> gate,
      Clock clock) {
    this.client = client;
    this.name = client.getMasterUrl().toString();
    this.nodes = nodes;
    this.gate = gate;
    this.clock = clock;
    rounds = new AgentRounds(this, new ApiAgents(client), clock);
    sets =
        client
            .apps()
            .daemonSets()
            .inAnyNamespace()
            .withLimit(PAGE)
            .runnableInformer(0)
            .removeNamespaceIndex()
            .itemStore(items)
            .exceptionHandler((_, failure) -> again(failure));
    thread = Thread.ofVirtual().name("agents-" + name).start(this::run);
  }

  /** The informer waits a little longer after each failure by itself. */
  private boolean again(Throwable failure) {
    LOG.debugf(failure, "agents of %s are listed again", name);
    return !closed;
  }

  private void signal() {
    if (signals.availablePermits() == 0) {
      signals.release();
    }
  }

  /** What holds from now on. */
  void plan(AgentPlan plan, Consumer<String> changed) {
    if (rounds.plan(plan, changed)) {
      signal();
    }
  }

  AgentRounds rounds() {
    return rounds;
  }

  /** A pool is gone. */
  void leave(String pool) {
    rounds.leave(pool);
    signal();
  }

  private void run() {
    try {
      sets.start();
      while (!closed) {
        Duration wait = rounds.round();
        if (signals.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS)) {
          TimeUnit.MILLISECONDS.sleep(TOGETHER.toMillis());
          signals.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      LOG.debugf("agents of %s are no longer followed", name);
    } catch (RuntimeException e) {
      if (!closed) {
        LOG.errorf(e, "agents of %s are not followed until the next reconciliation", name);
      }
    } finally {
      // First, so that the passes that this brings begin again.
      ended = true;
      sets.close();
      pods.values().forEach(each -> each.informer().close());
      rounds.end(closed);
    }
  }

  @Override
  public Optional<Collection<AgentSet>> sets() {
    return sets.hasSynced() ? Optional.of(items.all()) : Optional.empty();
  }

  @Override
  public Optional<List<NodeSight>> nodes() {
    return nodes.get();
  }

  @Override
  public Optional<AgentPods> pods(AgentSet set) {
    Followed followed = pods.computeIfAbsent(set.uid(), _ -> follow(set));
    return followed.informer().hasSynced() ? Optional.of(followed.items()) : Optional.empty();
  }

  private Followed follow(AgentSet set) {
    AgentPods podItems = new AgentPods(set.uid(), this::signal, clock);
    SharedIndexInformer<Pod> informer =
        client
            .pods()
            .inNamespace(set.namespace())
            .withLabelSelector(set.selector())
            .withLimit(PAGE)
            .runnableInformer(0)
            .removeNamespaceIndex()
            .itemStore(podItems)
            .exceptionHandler((_, failure) -> again(failure));
    informer.start();
    return new Followed(podItems, informer);
  }

  @Override
  public void keep(Collection<String> uids) {
    Set<String> kept = Set.copyOf(uids);
    pods.entrySet()
        .removeIf(
            each -> {
              boolean goes = !kept.contains(each.getKey());
              if (goes) {
                each.getValue().informer().close();
              }
              return goes;
            });
  }

  @Override
  public Optional<GateReading> gate() {
    return gate.get();
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
