// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.KeyAndCertificate;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  /** How many requests under way show it. */
  private record Shown(Peer peer, int requests) {
    Shown and(int more) {
      return new Shown(peer, requests + more);
    }
  }

  /** By address, for as long as a request is under way: addresses come and go. */
  private final Map<String, Shown> peers = new ConcurrentHashMap<>();

  private final Judge judge;

  public PeerTls(Judge judge) {
    this.judge = judge;
  }

  /** For the client. */
  public SSLContext context() {
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
    peers.merge(key, new Shown(peer, 1), (was, one) -> was.peer.equals(peer) ? was.and(1) : one);
    return () ->
        peers.computeIfPresent(
            key,
            (_, shown) ->
                shown.peer.equals(peer) ? shown.requests == 1 ? null : shown.and(-1) : shown);
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
      Shown shown = peers.get(alias);
      return shown == null ? null : new X509Certificate[] {shown.peer().own().certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      Shown shown = peers.get(alias);
      return shown == null ? null : shown.peer().own().key();
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
      Shown shown = peers.get(key(engine));
      if (shown == null) {
        throw new CertificateException("no control plane has a server at this address");
      }
      judge.judge(shown.peer(), chain, type, engine);
    }
  }
}
