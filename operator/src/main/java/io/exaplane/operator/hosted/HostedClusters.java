// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The connections to all hosted clusters, by the UID of their ControlPlane. Thread-safe. */
@ApplicationScoped
public class HostedClusters {
  private final ConcurrentMap<String, HostedCluster> clusters = new ConcurrentHashMap<>();
  private final HostedClients clients;
  private final ProbeClient probes;
  private final Clock clock;

  HostedClusters(HostedClients clients, ProbeClient probes, Clock clock) {
    this.clients = clients;
    this.probes = probes;
    this.clock = clock;
  }

  /** The connection to a cluster; a new one when the API or the credentials changed. */
  public HostedCluster connect(String uid, HostedApi api, Runnable changed) {
    return clusters.compute(
        uid,
        (key, existing) -> {
          if (existing != null && existing.serves(api, clock.instant())) {
            existing.follow(api.rules());
            return existing;
          }
          if (existing != null) {
            close(existing);
          }
          return new HostedCluster(api, clients, changed);
        });
  }

  /** The connection to a cluster, when there is one. */
  public Optional<HostedCluster> find(String uid) {
    return Optional.ofNullable(clusters.get(uid));
  }

  /** Closes the connection to a cluster that is being removed. */
  public void forget(String uid) {
    HostedCluster cluster = clusters.remove(uid);
    if (cluster != null) {
      close(cluster);
    }
  }

  private void close(HostedCluster cluster) {
    cluster.close();
    probes.forget(cluster.trust());
  }

  @PreDestroy
  void closeAll() {
    clusters.keySet().forEach(this::forget);
  }
}
