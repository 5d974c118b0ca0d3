// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** What passes of pools ask of hosted APIs, within the time that a pass waits. Thread-safe. */
@ApplicationScoped
public class PoolTokens {
  private final Function<String, Optional<KubernetesClient>> clients;
  private final HostedCalls calls;
  private final BootstrapTokens tokens;
  private final SimpleInboundEventSource<NodePool> answers =
      new SimpleInboundEventSource<>("node-pool-answers");

  @Inject
  PoolTokens(HostedClusters clusters, HostedCalls calls, Clock clock) {
    this(
        uid -> clusters.find(uid).flatMap(HostedCluster::clientUnlessClosed),
        calls,
        clock,
        new SecureRandom());
  }

  /**
   * With another way to hosted APIs, and another source of random numbers.
   *
   * @param clients of the APIs, by the UIDs of their ControlPlanes, if the operator has connections
   */
  public PoolTokens(
      Function<String, Optional<KubernetesClient>> clients,
      HostedCalls calls,
      Clock clock,
      RandomGenerator random) {
    this.clients = clients;
    this.calls = calls;
    this.tokens = new BootstrapTokens(clock, random);
  }

  /**
   * The token that hosts are to join with, and what they need to be nodes.
   *
   * @return empty if the API does not answer in time; its answer brings the next pass
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it refuses
   */
  public Optional<BootstrapToken> ensure(NodePool pool, ControlPlane controlPlane) {
    Duration lifetime = pool.getSpec().tokenLifetime();
    return client(controlPlane)
        .flatMap(
            client ->
                calls.within(
                    key(pool),
                    List.of(client, lifetime),
                    () -> ensure(pool, lifetime, client),
                    () -> answers.propagateEvent(ResourceID.fromResource(pool))));
  }

  private BootstrapToken ensure(NodePool pool, Duration lifetime, KubernetesClient client) {
    HostedBootstrap.apply(client, NodeRights.proxier());
    if (pool.getSpec().addresses() != null) {
      NodeRights.podCidrs().forEach(object -> HostedBootstrap.apply(client, object));
    }
    return tokens.ensure(pool, lifetime, client);
  }

  /**
   * Deletes the tokens of a pool, and what its hosts read of heartbeats.
   *
   * @return whether that is done; false if the API does not answer in time
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it refuses
   */
  public boolean revoke(NodePool pool, ControlPlane controlPlane) {
    return client(controlPlane)
        .flatMap(
            client ->
                calls.within(
                    key(pool),
                    List.of(client, "revoke"),
                    () -> {
                      BootstrapTokens.revoke(pool, client);
                      HeartbeatObjects.delete(pool, client);
                      return true;
                    },
                    () -> answers.propagateEvent(ResourceID.fromResource(pool))))
        .orElse(false);
  }

  /** Whether the operator has a connection to the API; one that has just begun has none. */
  public boolean isConnected(ControlPlane controlPlane) {
    return client(controlPlane).isPresent();
  }

  private Optional<KubernetesClient> client(ControlPlane controlPlane) {
    return clients.apply(controlPlane.getMetadata().getUid());
  }

  /** When a pool is to have another token than one that ends at a time. */
  public static Instant renewal(NodePool pool, Instant expires) {
    return BootstrapTokens.renewal(expires, pool.getSpec().tokenLifetime());
  }

  /** Late answers bring the reconciler back. */
  public EventSource<?, NodePool> answers() {
    return answers;
  }

  /** Of a pool that is gone. */
  public void forget(NodePool pool) {
    calls.forget(key(pool));
  }

  private static String key(NodePool pool) {
    return "node-pool/" + pool.getMetadata().getUid();
  }
}
