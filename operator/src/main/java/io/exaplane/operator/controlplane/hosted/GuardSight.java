// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.guard.GuardLook;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.HostedCluster;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.probe.BoundedGet;
import io.exaplane.operator.probe.ProbeFailure;
import io.exaplane.operator.storeshard.usage.StorePages;
import io.exaplane.operator.storeshard.usage.StoreProbe;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Looks at an API from inside the management cluster and through its published endpoint, and at the
 * store of node Leases. Nothing is read of the API but whether it lives. Thread-safe.
 */
@ApplicationScoped
public class GuardSight {
  /** Two looks with such a wait each, and what is between them, take less than ten seconds. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final long MOST_BYTES = 64 << 10;
  private static final String NODE_LEASES = "kube-node-lease";

  /** Of no node; whether the store knows it is what is asked. */
  private static final String NO_LEASE = "exaplane-guard";

  private final ProbeClient client;
  private final StoreProbe stores;
  private final StorePages pages;
  private final Clock clock;

  GuardSight(ProbeClient client, StoreProbe stores, StorePages pages, Clock clock) {
    this.client = client;
    this.stores = stores;
    this.pages = pages;
    this.clock = clock;
  }

  /** Looks once. */
  GuardLook look(
      ControlPlane controlPlane, HostedCluster cluster, GuardTarget target, GuardPolicy policy)
      throws InterruptedException {
    boolean inside =
        EndpointProbe.mayAnswer(controlPlane.getStatus())
            && problem(cluster, target.inside()).isEmpty();
    if (!inside) {
      return new GuardLook(clock.instant(), false, "", LeaseLook.NOT_COUNTED);
    }
    Endpoint published = controlPlane.getStatus().endpoint();
    String outside = published.equals(target.inside()) ? "" : problem(cluster, published);
    return new GuardLook(clock.instant(), true, outside, leases(cluster, target, policy));
  }

  /** Why an API does not answer; "" if it does. One server that is just stopping is not all. */
  private String problem(HostedCluster cluster, Endpoint endpoint) throws InterruptedException {
    long began = System.nanoTime();
    String first = ask(cluster, endpoint);
    boolean isSoon = System.nanoTime() - began < TIMEOUT.toNanos() / 2;
    return !first.isEmpty() && isSoon ? ask(cluster, endpoint) : first;
  }

  private String ask(HostedCluster cluster, Endpoint endpoint) throws InterruptedException {
    URI page = URI.create(EndpointProbe.url(endpoint) + "/livez?exclude=etcd");
    try {
      int status =
          BoundedGet.of(client.trusting(cluster.trust(), endpoint), page, TIMEOUT, MOST_BYTES)
              .statusCode();
      return status == HttpURLConnection.HTTP_OK ? "" : "status " + status;
    } catch (IOException e) {
      return ProbeFailure.of(e);
    }
  }

  /**
   * How old the Leases are. A store whose disk is full is not ready, so its Service leads to
   * nobody, and its pod counts all the same. The operator's own way to the store proves nothing: a
   * store that does not answer here is asked through the API, as kubelets do.
   */
  LeaseLook leases(HostedCluster cluster, GuardTarget target, GuardPolicy policy)
      throws InterruptedException {
    Optional<GuardTarget.LeaseStore> store = target.leaseStore();
    boolean isAsked = store.isEmpty() || pages.isKnown(store.get().uid());
    Optional<LeaseLook> counted =
        store.isPresent() ? counted(store.get(), policy) : Optional.empty();
    LeaseLook silent = isAsked ? LeaseLook.NOT_COUNTED : LeaseLook.NOT_ASKED;
    return counted.orElseGet(() -> serves(cluster) ? silent : LeaseLook.UNREACHABLE);
  }

  private Optional<LeaseLook> counted(GuardTarget.LeaseStore store, GuardPolicy policy)
      throws InterruptedException {
    return page(store, LeaseAges.question(policy)).flatMap(body -> LeaseAges.parse(body, policy));
  }

  /** How many renewals a store counted; nothing if it does not answer, or does not count them. */
  Optional<LeaseCount> renewals(GuardTarget.LeaseStore store) throws InterruptedException {
    return page(store, LeaseAges.renewals()).flatMap(body -> LeaseAges.count(body, store.uid()));
  }

  private Optional<String> page(GuardTarget.LeaseStore store, String question)
      throws InterruptedException {
    return pages.get(store.uid(), store.host(stores::unready), question, TIMEOUT, MOST_BYTES);
  }

  /** Whether the API gets an answer about a Lease. */
  private static boolean serves(HostedCluster cluster) {
    try {
      CompletableFuture.runAsync(
              () -> cluster.client().leases().inNamespace(NODE_LEASES).withName(NO_LEASE).get(),
              task -> Thread.ofVirtual().name("guard-lease").start(task))
          .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .join();
      return true;
    } catch (CompletionException e) {
      return e.getCause() instanceof KubernetesClientException refused
          && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
    }
  }
}
