// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.nodepool.upgrade.Drain;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What passes of pools do about nodes that have joined, within the time that a pass waits.
 * Thread-safe.
 */
@ApplicationScoped
public class NodeCalls {
  private final Function<String, Optional<KubernetesClient>> clients;
  private final HostedCalls calls;
  private final Clock clock;
  private final Map<String, SilentNodes> silent = new ConcurrentHashMap<>();
  private final Map<String, NodeTurns> turns = new ConcurrentHashMap<>();
  private final SimpleInboundEventSource<NodePool> answers =
      new SimpleInboundEventSource<>("node-pool-node-answers");

  @Inject
  NodeCalls(HostedClusters clusters, HostedCalls calls, Clock clock) {
    this(uid -> clusters.find(uid).flatMap(HostedCluster::clientUnlessClosed), calls, clock);
  }

  /**
   * With another way to hosted APIs.
   *
   * @param clients of the APIs, by the UIDs of their ControlPlanes, if the operator has connections
   */
  public NodeCalls(
      Function<String, Optional<KubernetesClient>> clients, HostedCalls calls, Clock clock) {
    this.clients = clients;
    this.calls = calls;
    this.clock = clock;
  }

  /**
   * Releases heartbeats and CAs to a pool's nodes, one step of each at most.
   *
   * @return what is released; empty if the API does not answer in time
   * @throws KubernetesClientException if it refuses
   */
  public Optional<Released> release(
      NodePool pool,
      ControlPlane controlPlane,
      Wave.Order<Heartbeats> order,
      Optional<TrustOrder> trust) {
    return ask(
        "heartbeats",
        pool,
        controlPlane,
        List.of(order, trust),
        client -> HeartbeatObjects.release(pool, order, trust, clock.instant(), client));
  }

  /**
   * Deletes Nodes that are still as they were seen, with Leases that nobody renews. The first call
   * for a Node only looks at its Lease.
   *
   * @return names of those that were deleted; empty if the API does not answer in time
   * @throws KubernetesClientException if it refuses
   */
  public Optional<List<String>> delete(
      NodePool pool, ControlPlane controlPlane, List<SilentNode> due) {
    SilentNodes nodes = silent.computeIfAbsent(key("repair", pool), _ -> new SilentNodes());
    return ask(
        "repair", pool, controlPlane, due, client -> nodes.delete(due, clock.instant(), client));
  }

  /**
   * Does what is due for the upgrade of a pool's nodes.
   *
   * @return the first write that the API refused; empty if there is none, or that takes longer
   */
  public Optional<KubernetesClientException> upgrade(
      NodePool pool, ControlPlane controlPlane, List<UpgradeAct> acts) {
    NodeTurns nodes = turns.computeIfAbsent(key("upgrade", pool), _ -> new NodeTurns());
    return ask(
            "upgrade",
            pool,
            controlPlane,
            acts,
            client -> nodes.carryOut(acts, clock.instant(), client))
        .flatMap(found -> found);
  }

  /** Names of Nodes of a pool whose turn ended since this was asked last. */
  public List<String> takeReturned(NodePool pool) {
    NodeTurns found = turns.get(key("upgrade", pool));
    return found == null ? List.of() : found.takeReturned();
  }

  /**
   * When Nodes of a pool were deleted so that their hosts make others, by this operator.
   *
   * @param nodes of the pool; what is among them has come back
   */
  public Map<String, Instant> away(NodePool pool, List<NodeTurn> nodes) {
    NodeTurns found = turns.get(key("upgrade", pool));
    return found == null ? Map.of() : found.away(nodes, clock.instant());
  }

  /** The last look at the pods of each Node that is drained. */
  public Map<String, Drain> drains(NodePool pool) {
    NodeTurns found = turns.get(key("upgrade", pool));
    return found == null ? Map.of() : found.drains();
  }

  /**
   * Whether this operator wrote Nodes for the upgrade of a pool, and has not given all back since.
   */
  public boolean hasTurns(NodePool pool) {
    return turns.containsKey(key("upgrade", pool));
  }

  /**
   * Lets all Nodes of a pool that are being upgraded take pods again. It waits for the end of a
   * late {@link #upgrade}, which may cordon others still, and reads the Nodes from the API.
   *
   * @return whether that is done; empty if the API does not answer in time
   * @throws KubernetesClientException if it refuses
   */
  public Optional<Boolean> giveBack(NodePool pool, ControlPlane controlPlane) {
    if (calls.isUnderWay(key("upgrade", pool))) {
      return Optional.empty();
    }
    Optional<Boolean> isDone = askToGiveBack(pool, controlPlane);
    if (isDone.orElse(false)) {
      calls.forget(key("upgrade", pool));
      turns.remove(key("upgrade", pool));
    }
    return isDone;
  }

  private Optional<Boolean> askToGiveBack(NodePool pool, ControlPlane controlPlane) {
    return ask(
        "give-back",
        pool,
        controlPlane,
        "nodes",
        client -> NodeTurns.giveBack(pool.getMetadata().getName(), clock.instant(), client));
  }

  private <T> Optional<T> ask(
      String what,
      NodePool pool,
      ControlPlane controlPlane,
      Object question,
      Function<KubernetesClient, T> answer) {
    return clients
        .apply(controlPlane.getMetadata().getUid())
        .flatMap(
            client -> {
              Supplier<T> ask = () -> answer.apply(client);
              return calls.within(
                  key(what, pool),
                  List.of(client, question),
                  ask,
                  () -> answers.propagateEvent(ResourceID.fromResource(pool)));
            });
  }

  /** Late answers bring the reconciler back. */
  public EventSource<?, NodePool> answers() {
    return answers;
  }

  /** Of a pool that is gone. */
  public void forget(NodePool pool) {
    calls.forget(key("heartbeats", pool));
    calls.forget(key("repair", pool));
    calls.forget(key("upgrade", pool));
    calls.forget(key("give-back", pool));
    silent.remove(key("repair", pool));
    turns.remove(key("upgrade", pool));
  }

  private static String key(String what, NodePool pool) {
    return "node-pool-" + what + "/" + pool.getMetadata().getUid();
  }
}
