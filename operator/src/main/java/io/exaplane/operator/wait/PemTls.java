// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS contexts from PEM files or texts, by the JDK alone. Stateless. */
public final class PemTls {
  private static final char[] NO_PASSWORD = {};

  private PemTls() {}

  /** A context that trusts a CA and shows a client certificate, from files; null for none. */
  static SSLContext context(String caFile, String certificateFile, String keyFile)
      throws IOException, GeneralSecurityException {
    return fromText(
        Files.readString(Path.of(caFile)),
        certificateFile == null ? null : Files.readString(Path.of(certificateFile)),
        keyFile == null ? null : Files.readString(Path.of(keyFile)));
  }

  /** A context that trusts a CA and shows a client certificate, from PEM; null for none. */
  public static SSLContext fromText(String ca, String certificate, String key)
      throws IOException, GeneralSecurityException {
    KeyManager[] keys = null;
    if (certificate != null) {
      KeyStore own = empty();
      own.setKeyEntry(
          "client", key(key), NO_PASSWORD, new Certificate[] {certificate(certificate)});
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(own, NO_PASSWORD);
      keys = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, new TrustManager[] {trust(ca)}, null);
    return context;
  }

  /** Trusts who has a certificate of one of these CAs, in PEM, for the name that was asked for. */
  public static X509ExtendedTrustManager trust(String ca)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = empty();
    int number = 0;
    for (Certificate one : certificates(ca)) {
      trusted.setCertificateEntry("ca" + number++, one);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return trust;
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for certificates");
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static Certificate certificate(String pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  /** An elliptic-curve key in PKCS #8, as {@code KeyAndCertificate} writes it. */
  private static PrivateKey key(String pem) throws GeneralSecurityException {
    String base64 =
        pem.lines().filter(line -> !line.startsWith("-----")).reduce("", String::concat);
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }
}
