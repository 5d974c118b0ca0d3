// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.wait.PemTls;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jboss.logging.Logger;

/**
 * The operator's connections to one hosted API: a client with a certificate that lives in memory
 * only, the approver of kubelets' serving certificates, watches of the operator's objects, and a
 * plain HTTP client for probes. Thread-safe; closed by {@link HostedClusters}.
 */
public final class HostedCluster implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(HostedCluster.class);
  private static final Duration CLIENT_VALIDITY = Duration.ofHours(24);

  private final HostedApi api;
  private final String server;
  private final String caSha256;
  private final Instant renewAfter;
  private final KubernetesClient client;
  private final HttpClient http;
  private final KubeletServingApprover approver;
  private final HostedWatches watches;

  /** Connects; {@code changed} is called when somebody changed an object of the operator's. */
  HostedCluster(HostedApi api, Runnable changed) {
    Authorities authorities = api.authorities();
    String server = api.server();
    KeyAndCertificate ca = authorities.cluster().ca();
    KeyAndCertificate own =
        authorities
            .cluster()
            .issue(Leaf.client("exaplane-operator", "system:masters", CLIENT_VALIDITY));
    this.api = api;
    this.server = server;
    this.caSha256 = ca.sha256();
    this.renewAfter = own.renewAfter();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server)
            .withCaCertData(base64(ca.certificatePem()))
            .withClientCertData(base64(own.certificatePem()))
            .withClientKeyData(base64(own.keyPem()))
            .withClientKeyAlgo("EC")
            .withRequestTimeout(10_000)
            .withConnectionTimeout(5_000)
            .withRequestRetryBackoffLimit(0)
            .build();
    this.client = new KubernetesClientBuilder().withConfig(config).build();
    this.http = probeClient(ca.certificatePem());
    this.watches = new HostedWatches(client, changed);
    this.approver = new KubeletServingApprover(client, server, api.rules());
  }

  private static HttpClient probeClient(String caPem) {
    try {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(PemTls.fromText(caPem, null, null))
          .connectTimeout(Duration.ofSeconds(4))
          .build();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the cluster's CA can't be used for TLS", e);
    }
  }

  /** Whether this still leads to that API, with credentials in force. */
  boolean serves(HostedApi other, Instant now) {
    return server.equals(other.server())
        && caSha256.equals(other.authorities().cluster().ca().sha256())
        && api.rules().equals(other.rules())
        && (other.dataEpoch().isEmpty() || other.dataEpoch().equals(api.dataEpoch()))
        && now.isBefore(renewAfter);
  }

  /** A client with all rights in the hosted cluster. */
  public KubernetesClient client() {
    return client;
  }

  /** An HTTP client that trusts the cluster's CA and shows no certificate. */
  HttpClient http() {
    return http;
  }

  /** Starts approving kubelets' serving certificates, once the API answers. */
  void startApprover() {
    approver.start();
  }

  /** Starts watching the operator's objects, once they are there. */
  void startWatches() {
    watches.start();
  }

  @Override
  public void close() {
    LOG.debugf("closing connections to %s", server);
    watches.close();
    approver.close();
    client.close();
    http.shutdownNow();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
