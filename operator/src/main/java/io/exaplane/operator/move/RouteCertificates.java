// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.wait.PemTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Whether stores show a certificate that is valid for an address which does not lead to them yet.
 * Each look is a connection and a TLS session of its own: a kept one would show the certificate of
 * before. Stateless.
 */
final class RouteCertificates {
  private static final int MOST_MS = (int) Duration.ofSeconds(3).toMillis();

  private RouteCertificates() {}

  /**
   * What speaks against a store, as the end of a sentence that begins with the store; asks the
   * store.
   *
   * @param authority the CA of the stores
   * @param address of the Service
   */
  static Optional<String> objection(
      String host, int port, CertificateAuthority authority, String address) {
    try (Socket plain = new Socket()) {
      KeyAndCertificate own = authority.issue(StoreTarget.LEAF);
      SSLContext tls =
          PemTls.fromText(authority.ca().certificatePem(), own.certificatePem(), own.keyPem());
      plain.connect(new InetSocketAddress(host, port), MOST_MS);
      plain.setSoTimeout(MOST_MS);
      try (SSLSocket socket =
          (SSLSocket) tls.getSocketFactory().createSocket(plain, address, port, true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
      }
      return Optional.empty();
    } catch (SSLException e) {
      return Optional.of("has no certificate for the address " + address + " yet");
    } catch (IOException e) {
      return Optional.of("does not answer");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS", e);
    }
  }
}
