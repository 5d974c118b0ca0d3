// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.wait.PemTls;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The one HTTP client that asks all hosted APIs whether they answer. It shows no certificate, and
 * trusts at each address only the CA of the control plane that has it. Thread-safe.
 */
@ApplicationScoped
public class ProbeClient {
  private static final Duration CONNECT = Duration.ofSeconds(4);

  private final Map<String, X509ExtendedTrustManager> trusted = new ConcurrentHashMap<>();
  private final HttpClient http;

  ProbeClient() {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, new TrustManager[] {new ByAddress()}, null);
      http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(tls)
              .connectTimeout(CONNECT)
              .executor(
                  Executors.newThreadPerTaskExecutor(
                      Thread.ofVirtual().name("probe-client-", 0).factory()))
              .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS", e);
    }
  }

  /** The client, which trusts this CA at this address from now on. */
  public HttpClient trusting(X509ExtendedTrustManager ca, Endpoint endpoint) {
    trusted.put(key(endpoint.host(), endpoint.port()), ca);
    return http;
  }

  /** Nobody with this CA is trusted any more. */
  void forget(X509ExtendedTrustManager ca) {
    trusted.values().removeIf(known -> known == ca);
  }

  @PreDestroy
  void close() {
    http.shutdownNow();
  }

  /**
   * Trusts who has a certificate of this CA.
   *
   * @param ca in PEM
   */
  public static X509ExtendedTrustManager trust(String ca) {
    try {
      return PemTls.trust(ca);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the cluster's CA cannot be used for TLS", e);
    }
  }

  /** Of an address in any of its spellings: the JDK's client writes IPv6 addresses out in full. */
  public static String key(String host, int port) {
    String bare = host.replaceAll("[\\[\\]]", "");
    return IpAddresses.parse(bare).map(InetAddress::getHostAddress).orElse(bare) + " " + port;
  }

  /** Judges a server by the CA that belongs to its address; there are no clients to judge. */
  private final class ByAddress extends EngineTrust {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      X509ExtendedTrustManager ca = trusted.get(key(engine.getPeerHost(), engine.getPeerPort()));
      if (ca == null) {
        throw new CertificateException("no control plane has this address");
      }
      ca.checkServerTrusted(chain, type, engine);
    }
  }
}
