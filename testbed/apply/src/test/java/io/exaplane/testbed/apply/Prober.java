// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What a kubelet and another client see of a server: every fifth of a second its readiness and an
 * object are asked for. Has a thread of its own.
 */
final class Prober implements AutoCloseable {
  private static final long EACH_MS = 200;

  /** How long a kubelet waits for an answer, by default. */
  private static final long LATE_MS = 1_000;

  /** How long it waits for the readiness of a kube-apiserver of ours (ComponentDeployment). */
  private static final long FAILED_MS = 5_000;

  private final LimitedServer server;
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Long> millis = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  Prober(LimitedServer server) {
    this.server = server;
    thread.scheduleAtFixedRate(this::probe, 0, EACH_MS, TimeUnit.MILLISECONDS);
  }

  private void probe() {
    for (String path : List.of("/readyz", "/api/v1/namespaces/kube-system")) {
      long from = System.nanoTime();
      try {
        int status = Http.get(server.uri(path)).statusCode();
        if (status != 200) {
          failures.add(path + ": " + status);
        } else if (millisSince(from) > FAILED_MS) {
          failures.add("%s: after %d ms".formatted(path, millisSince(from)));
        }
      } catch (IOException e) {
        failures.add(path + ": " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) {
        // One that left this method would end all probes.
        failures.add(path + ": " + e);
      }
      millis.add(millisSince(from));
    }
  }

  private static long millisSince(long from) {
    return (System.nanoTime() - from) / 1_000_000;
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** How many requests, and the slowest of them. */
  String figures() {
    List<Long> sorted = millis.stream().sorted().toList();
    return sorted.isEmpty()
        ? "no probe"
        : "%d probes, %d ms in the middle, %d ms at most, %d failed, %d after more than a second"
            .formatted(
                sorted.size(),
                sorted.get(sorted.size() / 2),
                sorted.getLast(),
                failures.size(),
                late());
  }

  /** Probes that a kubelet would not have waited for. */
  long late() {
    return millis.stream().filter(one -> one > LATE_MS).count();
  }

  /** Probes for some time more: what a server does behind its answers disturbs others, too. */
  void goOnFor(Duration time) throws InterruptedException {
    thread.awaitTermination(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  int count() {
    return millis.size();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
