// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
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
   * Releases heartbeats to a pool's nodes, one step at most.
   *
   * @return what is released; empty if the API does not answer in time
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it refuses
   */
  public Optional<Wave> release(NodePool pool, ControlPlane controlPlane, Wave.Order order) {
    return ask(
        "heartbeats",
        pool,
        controlPlane,
        order,
        client -> HeartbeatObjects.release(pool, order, clock.instant(), client));
  }

  /**
   * Deletes Nodes that are still as they were seen, with Leases that nobody renews. The first call
   * for a Node only looks at its Lease.
   *
   * @return names of those that were deleted; empty if the API does not answer in time
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it refuses
   */
  public Optional<List<String>> delete(
      NodePool pool, ControlPlane controlPlane, List<SilentNode> due) {
    SilentNodes nodes = silent.computeIfAbsent(key("repair", pool), _ -> new SilentNodes());
    return ask(
        "repair", pool, controlPlane, due, client -> nodes.delete(due, clock.instant(), client));
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
    silent.remove(key("repair", pool));
  }

  private static String key(String what, NodePool pool) {
    return "node-pool-" + what + "/" + pool.getMetadata().getUid();
  }
}
