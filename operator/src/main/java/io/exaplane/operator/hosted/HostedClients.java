// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.ClientKeys;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.probe.BoundedBody;
import io.exaplane.operator.probe.CheckedAddress;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Opens all clients of hosted clusters. They share their threads: the event loops of the operator's
 * own client, and virtual ones for handlers. Thread-safe.
 */
@ApplicationScoped
public class HostedClients {
  private static final int CONNECT_MS = 5_000;
  private static final int REQUEST_MS = 10_000;
  private static final int FOREIGN_REQUEST_MS = 5_000;

  /**
   * Enough for a Lease and a version, which are read from the API that a user's kubeconfig names.
   */
  private static final long MOST_FOREIGN_BYTES = 1 << 20;

  private final ExecutorService handlers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("hosted-", 0).factory());
  private final Vertx vertx;
  private final PinnedHttp foreign;

  @Inject
  HostedClients(Vertx vertx) {
    this(vertx, new CheckedAddress());
  }

  /** With other rules about the addresses to which users may lead the operator. */
  public HostedClients(Vertx vertx, CheckedAddress addresses) {
    this.vertx = vertx;
    this.foreign = new PinnedHttp(vertx, addresses, handlers, FOREIGN_REQUEST_MS);
  }

  /**
   * A client of a control plane. The client connects at its first request, and the caller closes
   * the client.
   *
   * @param server URL of the API
   * @param trusted certificates of its CAs, in PEM
   * @param own the operator's certificate there
   */
  KubernetesClient open(String server, String trusted, KeyAndCertificate own) {
    return shared(config(server, trusted, own), REQUEST_MS);
  }

  /**
   * A client of a control plane without limits of its own: the caller limits time and length of
   * answers, as {@code ServerPort} does. The caller closes the client.
   *
   * @param user the user whom the client impersonates; empty if the client asks as the operator
   */
  KubernetesClient openUnlimited(
      String server, String trusted, KeyAndCertificate own, Optional<ImpersonatedUser> user) {
    ConfigBuilder config = config(server, trusted, own);
    user.ifPresent(
        found ->
            config
                .withImpersonateUsername(found.name())
                .withImpersonateGroups(found.groups().toArray(String[]::new)));
    return shared(config, 0);
  }

  private static ConfigBuilder config(String server, String trusted, KeyAndCertificate own) {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(server)
        .withCaCertData(base64(trusted))
        .withClientCertData(base64(own.certificatePem()))
        .withClientKeyData(base64(own.keyPem()))
        .withClientKeyAlgo(ClientKeys.OWN);
  }

  private KubernetesClient shared(ConfigBuilder config, int requestMs) {
    return builder(config, requestMs)
        .withHttpClientFactory(new VertxHttpClientFactory(vertx))
        .withTaskExecutor(handlers)
        .build();
  }

  /**
   * A client of the API that a user's kubeconfig names. The client reads no long answer, and
   * connects to no forbidden address. The caller closes the client.
   *
   * @throws RuntimeException if certificates or keys of the kubeconfig cannot be used
   */
  public KubernetesClient openForeign(String kubeconfig) {
    ConfigBuilder config = new ConfigBuilder(Config.fromKubeconfig(kubeconfig));
    ClientKeys.algorithm(config.getClientKeyData()).ifPresent(config::withClientKeyAlgo);
    return builder(config, FOREIGN_REQUEST_MS)
        .withHttpClientFactory(foreign)
        .withTaskExecutor(handlers)
        .withHttpClientBuilderConsumer(
            http ->
                http.addOrReplaceInterceptor(BoundedBody.NAME, new BoundedBody(MOST_FOREIGN_BYTES)))
        .build();
  }

  /** The settings that all clients share. No client repeats a request: the caller does. */
  private static KubernetesClientBuilder builder(ConfigBuilder config, int requestMs) {
    return new KubernetesClientBuilder()
        .withConfig(
            config
                .withRequestTimeout(requestMs)
                .withConnectionTimeout(CONNECT_MS)
                .withRequestRetryBackoffLimit(0)
                .build());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  @PreDestroy
  public void close() {
    handlers.shutdownNow();
  }
}
