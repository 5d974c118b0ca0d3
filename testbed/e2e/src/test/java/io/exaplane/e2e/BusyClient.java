// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A client that reads and writes an object of a hosted API every 100 ms, and keeps how long each
 * request took, those that failed, and the longest time without one that succeeded. The client does
 * not repeat requests.
 */
final class BusyClient implements AutoCloseable {
  private static final long PERIOD_MS = 100;
  private static final String NAME = "busy-client";

  /**
   * What was seen.
   *
   * @param failures each with its time
   * @param longestGapMs between the ends of two requests that succeeded
   * @param p999Ms 99.9th percentile of all requests
   */
  record Report(int requests, List<String> failures, long longestGapMs, long p999Ms) {}

  private final KubernetesClient client;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name(NAME).factory());

  private final List<Long> tookMs = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long lastSuccess = System.nanoTime();
  private long longestGapMs;
  private long writes;

  BusyClient(String controlPlane, String namespace) {
    client = Hosted.newClient(controlPlane, namespace);
    client.getConfiguration().setRequestRetryBackoffLimit(0);
    thread.scheduleAtFixedRate(this::both, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private void both() {
    attempt(
        "write",
        () -> {
          ConfigMap wanted =
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withName(NAME)
                  .withNamespace("default")
                  .endMetadata()
                  .withData(Map.of("write", Long.toString(++writes)))
                  .build();
          client.resource(wanted).forceConflicts().serverSideApply();
        });
    attempt("read", () -> client.configMaps().inNamespace("default").withName(NAME).get());
  }

  private synchronized void attempt(String what, Runnable request) {
    long began = System.nanoTime();
    try {
      request.run();
      long now = System.nanoTime();
      longestGapMs = Math.max(longestGapMs, (now - lastSuccess) / 1_000_000);
      lastSuccess = now;
    } catch (RuntimeException e) {
      failures.add(Instant.now() + " " + what + ": " + e.getMessage());
    }
    tookMs.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
  }

  /** What was seen so far, printed as one line. */
  synchronized Report report(String title) {
    List<Long> sorted = new ArrayList<>(tookMs);
    Collections.sort(sorted);
    Report report =
        new Report(
            sorted.size(),
            List.copyOf(failures),
            longestGapMs,
            sorted.isEmpty() ? 0 : sorted.get((int) Math.floor(0.999 * (sorted.size() - 1))));
    System.out.printf(
        "%s: %d requests, %d failed, longest gap %d ms, p99.9 %d ms%n",
        title, report.requests(), report.failures().size(), longestGapMs, report.p999Ms());
    return report;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
