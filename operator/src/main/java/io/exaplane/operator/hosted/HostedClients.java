// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Opens clients of hosted clusters that share their threads: the event loops of the operator's own
 * client, and virtual ones for handlers. Thread-safe.
 */
@ApplicationScoped
public class HostedClients {
  private final ExecutorService handlers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("hosted-", 0).factory());
  private final Vertx vertx;

  HostedClients(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A client, the caller's to close; nothing is connected yet. */
  KubernetesClient open(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new VertxHttpClientFactory(vertx))
        .withTaskExecutor(handlers)
        .build();
  }

  @PreDestroy
  void close() {
    handlers.shutdownNow();
  }
}
