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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks stores of our own engine how they are. Thread-safe. */
@ApplicationScoped
public class StoreProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Of a store that did not answer for so long nothing is remembered. */
  private static final Duration MEMORY = Duration.ofHours(1);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Map<String, StoreHistory> histories = new ConcurrentHashMap<>();
  private final Clock clock;

  StoreProbe(Clock clock) {
    this.clock = clock;
  }

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
      return response.statusCode() == 200
          ? usage(shard.getMetadata().getUid(), response.body())
          : Set.of();
    } catch (ExecutionException | TimeoutException | NumberFormatException e) {
      return Set.of(); // Ready tells of a store that does not answer
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Set.of();
    } finally {
      answer.cancel(true);
    }
  }

  /** What a page of metrics says, and what it says with the ones before. */
  Set<StoreUsage> usage(String uid, String text) {
    Instant now = clock.instant();
    histories.values().removeIf(each -> each.seen().isBefore(now.minus(MEMORY)));
    return StorePage.parse(text)
        .map(
            page ->
                StoreUsage.of(
                    page,
                    histories.merge(
                        uid, StoreHistory.begin(page, now), (known, _) -> known.next(page, now))))
        .map(Set::of)
        .orElse(Set.of());
  }
}
