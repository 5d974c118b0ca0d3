// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Kubelets that renew their Leases at a steady pace until they are closed, on a server that is
 * ready. Each renewal is timed from the moment at which it was due.
 */
final class SteadyRenewals implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private record Renewal(long dueNanos, double millis, int status) {}

  private final Queue<Renewal> all = new ConcurrentLinkedQueue<>();
  private final HttpClient http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Supplier<URI> server;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Starts all kubelets, each with a connection of its own and one renewal at a time. */
  SteadyRenewals(Supplier<URI> server) {
    this.server = server;
    this.http = Http.clientAt(InetAddress.getLoopbackAddress());
    for (int kubelet = 1; kubelet < Kubelets.COUNT; kubelet++) {
      int number = kubelet;
      threads.submit(() -> run(number));
    }
  }

  private void run(int kubelet) {
    try {
      long due = System.nanoTime() + kubelet * PERIOD.toNanos() / Kubelets.COUNT;
      while (!closed.await(due - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        int status = Renewals.renew(http, server.get(), kubelet);
        long now = System.nanoTime();
        all.add(new Renewal(due, (now - due) / 1e6, status));
        // One that is late does not make up for what it missed.
        due = Math.max(due + PERIOD.toNanos(), now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many that were due since then were answered with 200. */
  long answeredSince(long nanos) {
    return all.stream().filter(r -> r.dueNanos - nanos >= 0 && r.status == 200).count();
  }

  /** What became of those that were due in a time, which is over for longer than one may take. */
  Renewals.Seen between(long fromNanos, long toNanos) {
    List<Renewal> due =
        all.stream().filter(r -> r.dueNanos - fromNanos >= 0 && r.dueNanos - toNanos < 0).toList();
    int refused = (int) due.stream().filter(r -> r.status == 429).count();
    double[] millis =
        due.stream().filter(r -> r.status == 200).mapToDouble(Renewal::millis).sorted().toArray();
    return new Renewals.Seen(millis, refused, due.size() - refused - millis.length);
  }

  @Override
  public void close() {
    closed.countDown();
    threads.close();
    http.close();
  }
}
