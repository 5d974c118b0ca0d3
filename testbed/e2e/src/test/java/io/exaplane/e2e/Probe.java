// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that asks a hosted API for something stored, once a second, with the credentials that
 * the kubeconfig Secret holds at that moment. Every failed request is kept.
 */
final class Probe implements AutoCloseable {
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("probe").factory());
  private final String controlPlane;
  private final String namespace;

  Probe(String controlPlane, String namespace) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    thread.scheduleAtFixedRate(this::ask, 0, 1, TimeUnit.SECONDS);
  }

  private void ask() {
    Instant start = Instant.now();
    try (KubernetesClient client = Hosted.newClient(controlPlane, namespace)) {
      client
          .configMaps()
          .inNamespace("kube-system")
          .withName("extension-apiserver-authentication")
          .get();
    } catch (RuntimeException | AssertionError e) {
      // A task that throws is never run again.
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      failures.add(
          start + " after " + Duration.between(start, Instant.now()).toMillis() + " ms: " + cause);
    }
    requests.incrementAndGet();
  }

  int requests() {
    return requests.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
