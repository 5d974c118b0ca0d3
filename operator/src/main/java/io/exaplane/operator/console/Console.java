// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.operator.config.ConsoleConfig;
import io.exaplane.operator.controlplane.hosted.MemoryProbe;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.schedulerpool.hosted.PoolProbe;
import io.exaplane.operator.storeshard.usage.StoreProbe;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Opens the console's port if the settings ask for it: with TLS, also on a standby, whose informers
 * hold the same. While the keys cannot be read, the operator works without its console, and tries
 * again each minute. Thread-safe.
 */
@Singleton
class Console {
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration RENEWAL = Duration.ofDays(1);
  private static final int IDLE_SECONDS = 60;
  private static final int MOST_LINE_BYTES = 2048;
  private static final Logger LOG = Logger.getLogger(Console.class);

  private final ConsoleConfig config;
  private final String host;
  private final Vertx vertx;
  private final KubernetesClient client;
  private final Clock clock;
  private final Pages pages;
  private final StoreProbe stores;
  private final PoolProbe pools;
  private final MemoryProbe servers;
  private final Fleet fleet;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("console-", 0).factory());
  private volatile Streams streams;
  private volatile HttpServer server;

  Console(
      ConsoleConfig config,
      @ConfigProperty(name = "quarkus.http.host") String host,
      Vertx vertx,
      KubernetesClient client,
      Clock clock,
      Pages pages,
      StoreProbe stores,
      PoolProbe pools,
      MemoryProbe servers,
      Operator operator) {
    this.config = config;
    this.host = host;
    this.vertx = vertx;
    this.client = client;
    this.clock = clock;
    this.pages = pages;
    this.stores = stores;
    this.pools = pools;
    this.servers = servers;
    this.fleet = new InformedFleet(operator, stores, pools, servers);
  }

  void onStart(@Observes StartupEvent event) {
    if (config.enabled()) {
      stores.keepLives();
      pools.keepLives();
      servers.keepLists();
      threads.execute(this::open);
    }
  }

  void onStop(@Observes ShutdownEvent event) {
    if (streams != null) {
      streams.close();
    }
    if (server != null) {
      server.close();
    }
    threads.shutdownNow();
  }

  private void open() {
    try {
      String namespace = client.getNamespace();
      ConsoleKeys keys = ConsoleKeys.of(client, namespace, clock);
      Assets assets = Assets.load();
      Streams fresh = new Streams(new Changes(fleet), pages::section);
      Door door =
          new Door(
              keys.seal(),
              new RememberedReviews(new KubernetesReviews(client), System::nanoTime),
              new FailedLogins(System::nanoTime),
              clock);
      Router router = Router.router(vertx);
      new ConsoleServer(door, pages, assets, fleet, fresh, threads).addTo(router);
      fresh.start();
      streams = fresh;
      HttpServer opened = vertx.createHttpServer(options(keys.certificate(namespace)));
      opened
          .requestHandler(router)
          .listen(config.port(), host)
          .onSuccess(
              _ -> {
                server = opened;
                LOG.infof("the console serves at port %d", opened.actualPort());
              })
          .onFailure(
              e ->
                  LOG.errorf(
                      e,
                      "the console cannot listen at port %d; set EXAPLANE_CONSOLE_PORT to a free"
                          + " port, and restart the operator",
                      config.port()));
      vertx.setPeriodic(RENEWAL.toMillis(), _ -> renew(opened, keys, namespace));
    } catch (RuntimeException e) {
      LOG.warnf(
          "the console cannot open yet, and tries again in %d s: %s",
          AGAIN.toSeconds(), e.getMessage());
      vertx.setTimer(AGAIN.toMillis(), _ -> threads.execute(this::open));
    }
  }

  /** A new certificate each day: a key is used for as short as that costs nothing. */
  private void renew(HttpServer opened, ConsoleKeys keys, String namespace) {
    threads.execute(
        () ->
            opened
                .updateSSLOptions(
                    new SSLOptions().setKeyCertOptions(pem(keys.certificate(namespace))))
                .onFailure(e -> LOG.warn("the console keeps its certificate", e)));
  }

  private static HttpServerOptions options(KeyAndCertificate certificate) {
    return new HttpServerOptions()
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
        .setKeyCertOptions(pem(certificate))
        .setIdleTimeout(IDLE_SECONDS)
        .setMaxInitialLineLength(MOST_LINE_BYTES);
  }

  private static PemKeyCertOptions pem(KeyAndCertificate certificate) {
    return new PemKeyCertOptions()
        .addCertValue(buffer(certificate.certificatePem()))
        .addKeyValue(buffer(certificate.keyPem()));
  }

  private static Buffer buffer(String pem) {
    return Buffer.buffer(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
