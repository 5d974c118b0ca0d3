// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates from PEM texts. Pure. */
final class Trust {
  private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final String END = "-----END PUBLIC KEY-----";

  private Trust() {}

  /** Who trusts the given authorities and no others. */
  static TrustManager[] managers(String pem) throws Refused {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
      if (all.isEmpty()) {
        throw new GeneralSecurityException("it holds no certificate");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate one : all) {
        store.setCertificateEntry("ca-" + number++, one);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw Refused.lasting(
          "authorities",
          "",
          "cannot be read as certificates (" + e.getMessage() + ")",
          "write certificates in PEM");
    }
  }

  /** An ECDSA key, as {@code cosign.pub} has it. */
  static PublicKey key(String pem) throws Refused {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw Refused.lasting(
          "key", "", "holds no public key in PEM", "write the text of the file cosign.pub");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
      return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw Refused.lasting(
          "key", "", "is no ECDSA key", "make one with 'cosign generate-key-pair'");
    }
  }
}
