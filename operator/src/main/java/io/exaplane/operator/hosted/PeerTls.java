// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.KeyAndCertificate;
import java.net.Socket;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS of one HTTP client of the JDK that asks servers of several owners: by a server's address it
 * knows which certificate to show, and whose certificates to trust. Thread-safe.
 */
public final class PeerTls {
  /**
   * What is shown to a server, and asked of it.
   *
   * @param own a client's certificate
   * @param ca who signs servers' certificates
   */
  public record Peer(KeyAndCertificate own, X509ExtendedTrustManager ca) {}

  /** Judges the certificates of a server. */
  public interface Judge {
    /**
     * Returns if the server is the right one.
     *
     * @throws CertificateException if not
     */
    void judge(Peer peer, X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException;
  }

  /** A request under way. */
  public interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * The peers of requests under way by address, one for each request: addresses come and go. A
   * connection that begins shows and trusts the last one, since a renewed certificate replaces one.
   */
  private final Map<String, List<Peer>> peers = new ConcurrentHashMap<>();

  private final Judge judge;

  public PeerTls(Judge judge) {
    this.judge = judge;
  }

  /**
   * A client by HTTP/1.1 whose connections show and trust what {@link #with} says. Who asked for
   * the client closes it.
   *
   * @param threads begin of the names of its virtual threads
   * @param connect time until a connection is there
   */
  public HttpClient client(String threads, Duration connect) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(context())
        .connectTimeout(connect)
        .executor(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(threads, 0).factory()))
        .build();
  }

  private SSLContext context() {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          new KeyManager[] {new KeyByAddress()}, new TrustManager[] {new TrustByAddress()}, null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS", e);
    }
  }

  /** Connections to this address show and trust this until the use is closed. */
  public Use with(String address, int port, Peer peer) {
    String key = ProbeClient.key(address, port);
    peers.merge(
        key, List.of(peer), (was, one) -> Stream.concat(was.stream(), one.stream()).toList());
    return () -> peers.computeIfPresent(key, (_, was) -> without(peer, was));
  }

  /** One less; null for none. */
  private static List<Peer> without(Peer peer, List<Peer> was) {
    List<Peer> left = new ArrayList<>(was);
    left.remove(peer);
    return left.isEmpty() ? null : List.copyOf(left);
  }

  /** What a connection that begins now shows and trusts. */
  Optional<Peer> shown(String key) {
    return Optional.ofNullable(peers.get(key)).map(List::getLast);
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
      return shown(alias)
          .map(peer -> new X509Certificate[] {peer.own().certificate()})
          .orElse(null);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return shown(alias).map(peer -> peer.own().key()).orElse(null);
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

  /** Judges a server by what belongs to its address. */
  private final class TrustByAddress extends EngineTrust {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      Peer peer =
          shown(key(engine))
              .orElseThrow(
                  () -> new CertificateException("no control plane has a server at this address"));
      judge.judge(peer, chain, type, engine);
    }
  }
}
