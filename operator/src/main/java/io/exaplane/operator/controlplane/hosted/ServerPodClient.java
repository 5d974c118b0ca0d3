// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.rollout.ServerSample;
import io.exaplane.operator.hosted.EngineTrust;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.probe.BoundedGet;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The one HTTP client that asks pods of kube-apiservers by their own addresses, which no
 * certificate has. It shows each the certificate of its control plane, and takes for a
 * kube-apiserver only who has a certificate of that control plane's CA for the API's own name.
 * Thread-safe.
 */
@ApplicationScoped
class ServerPodClient {
  private static final Duration CONNECT = Duration.ofSeconds(4);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** A page of a large cluster has tens of megabytes; no more than a line of it is kept. */
  private static final long MOST_BYTES = 256L << 20;

  /** In every kube-apiserver's certificate, and in no node's. */
  private static final String API_NAME = "kubernetes.default.svc";

  /**
   * What is shown to a server, and asked of it.
   *
   * @param own a client's certificate
   * @param ca who signs servers' certificates
   */
  record Peer(KeyAndCertificate own, X509ExtendedTrustManager ca) {}

  /** How many requests under way show it. */
  private record Use(Peer peer, int requests) {
    Use and(int more) {
      return new Use(peer, requests + more);
    }
  }

  /** By address, for as long as a request is under way: addresses of pods come and go. */
  private final Map<String, Use> peers = new ConcurrentHashMap<>();

  private final HttpClient http;

  ServerPodClient() {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          new KeyManager[] {new KeyByAddress()}, new TrustManager[] {new TrustByAddress()}, null);
      http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(tls)
              .connectTimeout(CONNECT)
              .executor(
                  Executors.newThreadPerTaskExecutor(
                      Thread.ofVirtual().name("memory-probe-client-", 0).factory()))
              .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS", e);
    }
  }

  /**
   * Memory by the page of metrics of one server; nothing if the page does not have it.
   *
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  Optional<MemoryFigures> metrics(String address, int port, Peer peer)
      throws IOException, InterruptedException {
    return page(address, port, peer, MemoryFigures.reader());
  }

  /**
   * How busy one server is, by the same page; nothing if the page is not one of a kube-apiserver.
   *
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  Optional<ServerSample> sample(String address, int port, Peer peer)
      throws IOException, InterruptedException {
    return page(
        address,
        port,
        peer,
        LineReader.of(
            new ServerSample.Reader(), ServerSample.Reader::line, ServerSample.Reader::sample));
  }

  private <T> Optional<T> page(
      String address, int port, Peer peer, HttpResponse.BodyHandler<Optional<T>> reader)
      throws IOException, InterruptedException {
    String key = ProbeClient.key(address, port);
    peers.merge(key, new Use(peer, 1), (was, one) -> was.peer.equals(peer) ? was.and(1) : one);
    try {
      URI page = URI.create("https://%s:%d/metrics".formatted(IpAddresses.urlHost(address), port));
      HttpResponse<Optional<T>> answer = BoundedGet.of(http, page, TIMEOUT, MOST_BYTES, reader);
      return answer.statusCode() == HttpURLConnection.HTTP_OK ? answer.body() : Optional.empty();
    } finally {
      peers.computeIfPresent(
          key, (_, use) -> use.peer.equals(peer) ? use.requests == 1 ? null : use.and(-1) : use);
    }
  }

  @PreDestroy
  void close() {
    http.shutdownNow();
  }

  private static String key(SSLEngine engine) {
    return ProbeClient.key(engine.getPeerHost(), engine.getPeerPort());
  }

  /** The certificate that belongs to the server's address; its alias is that address. */
  private final class KeyByAddress extends X509ExtendedKeyManager {
    @Override
    public String chooseEngineClientAlias(
        String[] keyTypes, Principal[] issuers, SSLEngine engine) {
      return peers.containsKey(key(engine)) ? key(engine) : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      Use use = peers.get(alias);
      return use == null ? null : new X509Certificate[] {use.peer().own().certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      Use use = peers.get(alias);
      return use == null ? null : use.peer().own().key();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      return null;
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      return null;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return null;
    }
  }

  /** Judges a server by the CA that belongs to its address, and by the API's name. */
  private final class TrustByAddress extends EngineTrust {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      Use use = peers.get(key(engine));
      if (use == null) {
        throw new CertificateException("no control plane has a server at this address");
      }
      use.peer().ca().checkServerTrusted(chain, type);
      Collection<List<?>> names =
          Objects.requireNonNullElse(chain[0].getSubjectAlternativeNames(), List.of());
      if (names.stream().noneMatch(name -> API_NAME.equals(name.get(1)))) {
        throw new CertificateException("the server has no certificate of a kube-apiserver");
      }
    }
  }
}
