// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.pki.IpAddresses;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks who is in charge of a pool's pods, and how its tree is. Thread-safe. */
@ApplicationScoped
public class PoolProbe {
  /** How often each pool is looked at. */
  public static final Duration PERIOD = Duration.ofSeconds(2);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int HTTP_PORT = 10260;
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Map<String, LeaseWatch> leases = new ConcurrentHashMap<>();
  private final PoolClusters clusters;
  private final Clock clock;

  PoolProbe(PoolClusters clusters, Clock clock) {
    this.clusters = clusters;
    this.clock = clock;
  }

  /** Asks once; nothing as long as the way there is not known. */
  public Set<PoolView> look(SchedulerPool pool) {
    String uid = pool.getMetadata().getUid();
    return clusters.client(uid).map(client -> Set.of(look(pool, uid, client))).orElse(Set.of());
  }

  private PoolView look(SchedulerPool pool, String uid, KubernetesClient client) {
    try {
      Lease lease =
          client.leases().inNamespace("kube-system").withName(pool.getSpec().leaseName()).get();
      Instant now = clock.instant();
      LeaseWatch watch = leases.compute(uid, (_, before) -> LeaseWatch.next(before, lease, now));
      String holder = LeaseWatch.holder(lease);
      boolean held = watch.isHeld(lease, PERIOD, now);
      String version = version(client.getKubernetesVersion().getGitVersion());
      Optional<Tree> tree =
          held ? clusters.root(uid, holder).flatMap(this::tree) : Optional.empty();
      return new PoolView("", version, holder, held, tree);
    } catch (KubernetesClientException e) {
      return PoolView.failed(
          e.getCode() == 0
              ? "no answer (" + cause(e) + ")"
              : "status " + e.getCode() + ": " + e.getMessage());
    }
  }

  private static String cause(KubernetesClientException e) {
    return (e.getCause() == null ? e : e.getCause()).getClass().getSimpleName();
  }

  /** As 1.36.3, of v1.36.3-provider.7 as well. */
  static String version(String gitVersion) {
    return gitVersion.replaceFirst("^v", "").replaceFirst("[-+].*", "");
  }

  private Optional<Tree> tree(String address) {
    URI page = URI.create("http://%s:%d/tree".formatted(IpAddresses.urlHost(address), HTTP_PORT));
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    try {
      HttpResponse<String> response = answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return response.statusCode() == 200 ? Optional.of(parse(response.body())) : Optional.empty();
    } catch (ExecutionException | TimeoutException | JsonProcessingException e) {
      return Optional.empty(); // who is in charge is told by the Lease
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      answer.cancel(true);
    }
  }

  static Tree parse(String page) throws JsonProcessingException {
    JsonNode root = JSON.readTree(page);
    IntSummaryStatistics nodes = new IntSummaryStatistics();
    int relays = 0;
    for (JsonNode member : root.path("members")) {
      if (member.path("kind").asText().equals("shard")) {
        nodes.accept(member.path("nodes").asInt());
      } else {
        relays++;
      }
    }
    boolean none = nodes.getCount() == 0;
    return new Tree(
        relays,
        (int) nodes.getCount(),
        (int) nodes.getSum(),
        none ? 0 : nodes.getMin(),
        none ? 0 : nodes.getMax(),
        root.path("complete").asBoolean());
  }

  /** Forgets what was seen of a pool that is gone. */
  public void forget(String uid) {
    leases.remove(uid);
    clusters.forget(uid);
  }
}
