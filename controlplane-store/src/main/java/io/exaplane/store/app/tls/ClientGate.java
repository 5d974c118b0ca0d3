// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets in who has a certificate of the CA that is for clients and is one of those allowed; the
 * handshake of others fails. Says who came and who was turned away. Thread-safe.
 */
final class ClientGate extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager authority;
  private final AllowedClients allowed;
  private final RevokedClients revoked;
  private final ClientLog log;

  ClientGate(
      X509ExtendedTrustManager authority,
      AllowedClients allowed,
      RevokedClients revoked,
      ClientLog log) {
    this.authority = authority;
    this.allowed = allowed;
    this.revoked = revoked;
    this.log = log;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    String from = Optional.ofNullable(engine.getPeerHost()).orElse("an unknown address");
    try {
      authority.checkClientTrusted(chain, kind, engine);
      check(chain);
    } catch (CertificateException e) {
      log.refused(ClientLog.subject(chain), from, e.getMessage());
      throw e;
    }
    log.connected(ClientLog.subject(chain), from);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    authority.checkClientTrusted(chain, kind, socket);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    authority.checkClientTrusted(chain, kind);
    check(chain);
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    Optional<String> objection = revoked.objection(chain).or(() -> allowed.objection(chain[0]));
    if (objection.isPresent()) {
      throw new CertificateException(objection.get());
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    authority.checkServerTrusted(chain, kind, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    authority.checkServerTrusted(chain, kind, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    authority.checkServerTrusted(chain, kind);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authority.getAcceptedIssuers();
  }
}
