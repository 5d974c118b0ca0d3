// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kubelets that renew their Leases at a steady pace, whatever the server does: each renewal is
 * timed from the moment at which it was due.
 */
final class Renewals {
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private Renewals() {}

  /** Makes a Lease for each kubelet but the first, which has another task. */
  static void create(ControlPlane controlPlane) throws Exception {
    // kube-apiserver makes their namespace by itself, soon after its start.
    Await.until(
        "there is a namespace kube-node-lease",
        () -> Http.get(controlPlane.uri("/api/v1/namespaces/kube-node-lease")).statusCode() == 200);
    for (int i = 1; i < Kubelets.COUNT; i++) {
      controlPlane.create(LEASES, lease(i));
    }
  }

  private static String lease(int kubelet) {
    return """
        {"metadata":{"name":"node-%1$d","namespace":"kube-node-lease"},
         "spec":{"holderIdentity":"node-%1$d","leaseDurationSeconds":40}}
        """
        .formatted(kubelet);
  }

  /** As a patch, which needs no revision: a late answer is not to make the next one fail. */
  private static String renewal() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    return "{\"spec\":{\"renewTime\":\"" + MICRO_TIME.format(now) + "\"}}";
  }

  /**
   * What became of them.
   *
   * @param millis of those that were answered, in order
   */
  record Seen(double[] millis, int refused, int failed) {
    double percentile(double part) {
      return millis[(int) Math.min(millis.length - 1L, Math.round(part * millis.length))];
    }

    @Override
    public String toString() {
      return "%d renewals, p50 %.1f ms, p99 %.1f ms, at most %.1f ms, %d with 429, %d failed"
          .formatted(
              millis.length,
              percentile(0.5),
              percentile(0.99),
              millis[millis.length - 1],
              refused,
              failed);
    }
  }

  static Seen run(ControlPlane controlPlane, int perSecond, Duration length) throws Exception {
    List<Double> millis = new CopyOnWriteArrayList<>();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    try (HttpClient http = Http.clientAt(java.net.InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = System.nanoTime();
      long count = length.toSeconds() * perSecond;
      for (long i = 0; i < count; i++) {
        long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        int kubelet = (int) (1 + i % (Kubelets.COUNT - 1));
        threads.submit(
            () -> {
              int status = renew(http, controlPlane.uri(""), kubelet);
              if (status == 200) {
                millis.add((System.nanoTime() - due) / 1e6);
              } else {
                (status == 429 ? refused : failed).incrementAndGet();
              }
            });
      }
    }
    if (millis.isEmpty()) {
      throw new AssertionError("not one renewal was answered with 200");
    }
    return new Seen(
        millis.stream().mapToDouble(Double::doubleValue).sorted().toArray(),
        refused.get(),
        failed.get());
  }

  /** Renews one Lease, and returns the status; 0 without an answer. */
  static int renew(HttpClient http, URI server, int kubelet) {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(LEASES + "/node-" + kubelet))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + Kubelets.token(kubelet))
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofString(renewal()))
            .build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
