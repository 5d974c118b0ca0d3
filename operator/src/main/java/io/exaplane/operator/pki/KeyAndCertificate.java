// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** A private key with its certificate. Immutable. */
public record KeyAndCertificate(PrivateKey key, X509Certificate certificate) {
  /** From the beginning to the end of the shortest certificate that this operator issues. */
  private static final Duration SHORTEST =
      CertificateAuthority.BACKDATED.plus(Duration.ofMinutes(3));

  /** Reads both from PEM; empty when either is missing, broken, or not of the other. */
  public static Optional<KeyAndCertificate> parse(byte[] certificatePem, byte[] keyPem) {
    if (certificatePem == null || keyPem == null) {
      return Optional.empty();
    }
    try {
      if (readPem(certificatePem) instanceof X509CertificateHolder holder) {
        X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(holder);
        return readKey(keyPem)
            .filter(key -> KeyPairs.belongTogether(certificate.getPublicKey(), key))
            .map(key -> new KeyAndCertificate(key, certificate));
      }
      return Optional.empty();
    } catch (IOException | CertificateException broken) {
      return Optional.empty();
    }
  }

  private static Optional<PrivateKey> readKey(byte[] pem) throws IOException {
    JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
    return switch (readPem(pem)) {
      case PEMKeyPair pair -> Optional.of(converter.getKeyPair(pair).getPrivate());
      case PrivateKeyInfo info -> Optional.of(converter.getPrivateKey(info));
      case null, default -> Optional.empty();
    };
  }

  private static Object readPem(byte[] pem) throws IOException {
    try (PEMParser parser =
        new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
      return parser.readObject();
    }
  }

  /** The certificate as PEM. */
  public String certificatePem() {
    return pem(certificate);
  }

  /** The key as PKCS #8 PEM. */
  public String keyPem() {
    return keyPem(key);
  }

  /** A private key as PKCS #8 PEM. */
  static String keyPem(PrivateKey key) {
    try {
      return pem(new JcaPKCS8Generator(key, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The public half of a key pair as PEM. */
  static String publicPem(KeyPair pair) {
    return pem(pair.getPublic());
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** When the certificate expires. */
  public Instant notAfter() {
    return certificate.getNotAfter().toInstant();
  }

  /**
   * When the certificate is renewed: when one third of its validity is left. The time before its
   * making counts as no part of that. One of an earlier operator that is valid for more than eight
   * minutes is renewed up to 100 s later than that operator would have.
   */
  public Instant renewAfter() {
    return notAfter().minusMillis(Duration.between(issuedAt(), notAfter()).toMillis() / 3);
  }

  /** When the certificate was made; of one of an earlier operator it may be up to 5 min later. */
  public Instant issuedAt() {
    Instant begins = certificate.getNotBefore().toInstant();
    return begins.plus(
        Duration.between(begins, notAfter()).compareTo(SHORTEST) < 0
            ? CertificateAuthority.EARLIER_BACKDATED
            : CertificateAuthority.BACKDATED);
  }

  /** The first organization of its subject, which is a client's group. */
  public Optional<String> organization() {
    RDN[] groups =
        X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()).getRDNs(BCStyle.O);
    return groups.length == 0
        ? Optional.empty()
        : Optional.of(groups[0].getFirst().getValue().toString());
  }

  /** SHA-256 of the certificate's DER form, as lower-case hex. */
  public String sha256() {
    try {
      return Fingerprints.sha256(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
