// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.rollout.ServerSample;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.hosted.PeerTls.Peer;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.probe.BoundedGet;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLEngine;

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

  private final PeerTls tls = new PeerTls(ServerPodClient::judge);
  private final HttpClient http = tls.client("memory-probe-client-", CONNECT);

  /**
   * Memory by the page of metrics of one server; nothing if the page does not have it.
   *
   * @param withLists whether the LISTs of each resource are wanted, too
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  Optional<MemoryFigures> metrics(String address, int port, Peer peer, boolean withLists)
      throws IOException, InterruptedException {
    return page(address, port, peer, MemoryFigures.reader(withLists));
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

  /**
   * What a gate wants of the same page; nothing if the page is not one of a kube-apiserver.
   *
   * @throws IOException if there is no such answer
   * @throws InterruptedException if the thread is to end
   */
  Optional<GateSample> gateSample(String address, int port, Peer peer)
      throws IOException, InterruptedException {
    return page(
        address,
        port,
        peer,
        LineReader.of(new GateSample.Reader(), GateSample.Reader::line, GateSample.Reader::sample));
  }

  private <T> Optional<T> page(
      String address, int port, Peer peer, HttpResponse.BodyHandler<Optional<T>> reader)
      throws IOException, InterruptedException {
    try (PeerTls.Use _ = tls.with(address, port, peer)) {
      URI page = URI.create("https://%s:%d/metrics".formatted(IpAddresses.urlHost(address), port));
      HttpResponse<Optional<T>> answer = BoundedGet.of(http, page, TIMEOUT, MOST_BYTES, reader);
      return answer.statusCode() == HttpURLConnection.HTTP_OK ? answer.body() : Optional.empty();
    }
  }

  @PreDestroy
  void close() {
    http.shutdownNow();
  }

  /** By the CA that belongs to the server's address, and by the API's name. */
  private static void judge(Peer peer, X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    peer.ca().checkServerTrusted(chain, type);
    Collection<List<?>> names =
        Objects.requireNonNullElse(chain[0].getSubjectAlternativeNames(), List.of());
    if (names.stream().noneMatch(name -> API_NAME.equals(name.get(1)))) {
      throw new CertificateException("the server has no certificate of a kube-apiserver");
    }
  }
}
