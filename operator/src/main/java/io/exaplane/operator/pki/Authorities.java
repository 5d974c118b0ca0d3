// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.security.KeyPair;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The long-lived keys of a control plane: three CAs and the key that signs service-account tokens.
 * They are made once and never replaced by the operator.
 */
public record Authorities(
    CertificateAuthority cluster,
    CertificateAuthority frontProxy,
    CertificateAuthority store,
    String serviceAccountKeyPem,
    String serviceAccountPublicPem) {

  /** Files of a CA's Secret. */
  public static final String CERTIFICATE_FILE = "tls.crt";

  public static final String KEY_FILE = "tls.key";
  public static final String SERVICE_ACCOUNT_KEY_FILE = "sa.key";
  public static final String SERVICE_ACCOUNT_PUBLIC_FILE = "sa.pub";

  /** The files of a new CA. */
  static Map<String, String> newAuthority(String commonName, Clock clock) {
    KeyAndCertificate ca = CertificateAuthority.create(commonName, clock);
    Map<String, String> files = new LinkedHashMap<>();
    files.put(CERTIFICATE_FILE, ca.certificatePem());
    files.put(KEY_FILE, ca.keyPem());
    return files;
  }

  /** The files of a new key that signs service-account tokens. */
  static Map<String, String> newServiceAccountKey() {
    KeyPair pair = KeyPairs.generate();
    Map<String, String> files = new LinkedHashMap<>();
    files.put(SERVICE_ACCOUNT_KEY_FILE, KeyAndCertificate.keyPem(pair.getPrivate()));
    files.put(SERVICE_ACCOUNT_PUBLIC_FILE, KeyAndCertificate.publicPem(pair));
    return files;
  }

  /** Reads a CA from its files; empty when they don't hold one. */
  static Optional<CertificateAuthority> read(Map<String, byte[]> files, Clock clock) {
    return KeyAndCertificate.parse(files.get(CERTIFICATE_FILE), files.get(KEY_FILE))
        .map(ca -> new CertificateAuthority(ca, clock));
  }
}
