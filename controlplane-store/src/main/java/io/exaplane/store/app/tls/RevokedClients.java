// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Certificates that their CA has taken back, from a list in a file. Immutable. */
record RevokedClients(Collection<? extends CRL> lists) {
  static final RevokedClients NONE = new RevokedClients(List.of());

  /**
   * Reads the lists of a file, in PEM or DER.
   *
   * @throws IOException if it can't be read
   * @throws GeneralSecurityException if it has no list
   */
  static RevokedClients of(Path file) throws IOException, GeneralSecurityException {
    byte[] content = FileState.read(file).getBytes(StandardCharsets.ISO_8859_1);
    try (InputStream in = new ByteArrayInputStream(content)) {
      Collection<? extends CRL> lists = CertificateFactory.getInstance("X.509").generateCRLs(in);
      if (lists.isEmpty()) {
        throw new GeneralSecurityException(
            "--client-crl-file: %s has no list of revoked certificates".formatted(file));
      }
      return new RevokedClients(lists);
    } catch (java.security.cert.CRLException e) {
      throw new GeneralSecurityException(
          "--client-crl-file: %s must be a list of revoked certificates, in PEM or DER: %s"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** Why a client with this chain may not come in; empty if none of it was taken back. */
  Optional<String> objection(X509Certificate... chain) {
    for (X509Certificate each : chain) {
      if (lists.stream().anyMatch(list -> list.isRevoked(each))) {
        return Optional.of(
            "the certificate with the serial number %x is in --client-crl-file"
                .formatted(each.getSerialNumber()));
      }
    }
    return Optional.empty();
  }
}
