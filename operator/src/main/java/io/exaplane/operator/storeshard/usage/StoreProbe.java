// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.storeshard.dependent.StoreService;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks stores of our own engine how they are. Thread-safe. */
@ApplicationScoped
public class StoreProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Set<String> NAMES =
      Set.of(
          "exaplane_store_revision",
          "exaplane_store_journal_stalled",
          "exaplane_store_space_exceeded",
          "exaplane_store_record_bytes",
          "etcd_server_quota_backend_bytes");

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  /** Whether a store can be asked at all. */
  public static boolean applies(StoreShard shard) {
    return shard.getSpec().engine() == StoreEngine.Memory;
  }

  /** Asks once; nothing as long as it has no address or does not answer. */
  public Set<StoreUsage> ask(StoreShard shard) {
    if (!applies(shard) || shard.getStatus() == null || shard.getStatus().endpoint() == null) {
      return Set.of();
    }
    String host = URI.create(shard.getStatus().endpoint()).getHost();
    URI page = URI.create("http://%s:%d/metrics".formatted(host, StoreService.METRICS_PORT));
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    try {
      // A request's own timeout ends with the headers.
      HttpResponse<String> response = answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return response.statusCode() == 200 ? parse(response.body()) : Set.of();
    } catch (ExecutionException | TimeoutException | NumberFormatException e) {
      return Set.of(); // Ready tells of a store that does not answer
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Set.of();
    } finally {
      answer.cancel(true);
    }
  }

  /** What a page of Prometheus' text format says; nothing if something is missing. Pure. */
  static Set<StoreUsage> parse(String page) {
    Map<String, Double> values = new HashMap<>();
    page.lines()
        .filter(line -> !line.startsWith("#") && line.indexOf('{') < 0 && line.indexOf(' ') > 0)
        .map(line -> line.split(" "))
        .filter(parts -> NAMES.contains(parts[0]))
        .forEach(parts -> values.put(parts[0], Double.valueOf(parts[1])));
    Double revision = values.get("exaplane_store_revision");
    Double stalled = values.get("exaplane_store_journal_stalled");
    Double exceeded = values.get("exaplane_store_space_exceeded");
    Double bytes = values.get("exaplane_store_record_bytes");
    Double quota = values.get("etcd_server_quota_backend_bytes");
    // Revision 0 is that of a store whose writer has not answered yet.
    if (revision == null
        || revision == 0
        || stalled == null
        || exceeded == null
        || bytes == null
        || quota == null) {
      return Set.of();
    }
    return Set.of(StoreUsage.of(revision, stalled, exceeded, bytes, quota));
  }
}
