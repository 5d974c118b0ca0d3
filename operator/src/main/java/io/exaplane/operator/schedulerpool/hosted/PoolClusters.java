// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.hosted.HostedClients;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.HostedClusters;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The way to each pool's cluster and to its roots, by the pool's UID. Thread-safe. */
@ApplicationScoped
public class PoolClusters {
  private final ConcurrentMap<String, Way> ways = new ConcurrentHashMap<>();
  private final HostedClusters hosted;
  private final HostedClients clients;

  PoolClusters(HostedClusters hosted, HostedClients clients) {
    this.hosted = hosted;
    this.clients = clients;
  }

  /**
   * A way.
   *
   * @param controlPlane UID of the ControlPlane, whose connection is used; null without one
   * @param client the pool's own; null with one
   * @param epoch of the credentials of the client
   * @param roots IP addresses of root pods, by name
   */
  private record Way(
      String controlPlane, KubernetesClient client, String epoch, Map<String, String> roots) {
    void close() {
      if (client != null) {
        client.close();
      }
    }
  }

  /**
   * Remembers how to come there.
   *
   * @throws RuntimeException if a kubeconfig's certificates or keys cannot be used
   */
  public void connect(SchedulerPool pool, PoolTarget target, Map<String, String> roots) {
    ways.compute(
        pool.getMetadata().getUid(),
        (uid, existing) -> {
          if (target.controlPlane().isPresent()) {
            return new Way(
                target.controlPlane().get().getMetadata().getUid(),
                null,
                target.credentialsEpoch(),
                Map.copyOf(roots));
          }
          if (existing != null && existing.epoch().equals(target.credentialsEpoch())) {
            return new Way(null, existing.client(), existing.epoch(), Map.copyOf(roots));
          }
          // Opened first: one that cannot be used leaves the one before as it is.
          KubernetesClient client = clients.openForeign(target.kubeconfig());
          if (existing != null) {
            existing.close();
          }
          return new Way(null, client, target.credentialsEpoch(), Map.copyOf(roots));
        });
  }

  /** A client of the pool's cluster, if the way there is known. */
  public Optional<KubernetesClient> client(String uid) {
    return Optional.ofNullable(ways.get(uid))
        .flatMap(
            way ->
                way.client() == null
                    ? hosted.find(way.controlPlane()).flatMap(HostedCluster::clientUnlessClosed)
                    : Optional.of(way.client()));
  }

  /** The address of a root's pod, if it has one. */
  Optional<String> root(String uid, String pod) {
    return Optional.ofNullable(ways.get(uid)).map(way -> way.roots().get(pod));
  }

  /** Closes what was opened for a pool that is gone. */
  public void forget(String uid) {
    Way way = ways.remove(uid);
    if (way != null) {
      way.close();
    }
  }

  @PreDestroy
  void closeAll() {
    ways.keySet().forEach(this::forget);
  }
}
