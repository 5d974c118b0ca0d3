// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads certificates and private keys from PEM files. */
final class PemFiles {
  private static final Set<String> CERTIFICATES =
      Set.of("CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE");
  private static final byte[] RSA = {
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };
  private static final byte[] EC_PUBLIC_KEY = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int CURVE_TAG = 0xa0;

  private PemFiles() {}

  /** All certificates of a file, in their order; there is at least one. */
  static X509Certificate[] certificates(Path file) throws IOException, GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> found = new ArrayList<>();
    for (PemBlock block : PemBlock.all(file)) {
      if (CERTIFICATES.contains(block.type())) {
        try {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.content())));
        } catch (CertificateException e) {
          throw new GeneralSecurityException(
              "%s: the block %s of line %d is no certificate"
                  .formatted(file, block.type(), block.line()),
              e);
        }
      }
    }
    if (found.isEmpty()) {
      throw new GeneralSecurityException(file + " holds no PEM block CERTIFICATE");
    }
    return found.toArray(X509Certificate[]::new);
  }

  /** The first private key of a file, in PKCS#8, or for RSA and EC in their own forms. */
  static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    byte[] curve = null;
    for (PemBlock block : PemBlock.all(file)) {
      byte[] der = block.content();
      if (block.type().endsWith("PRIVATE KEY") && block.isEncrypted()) {
        throw new GeneralSecurityException(
            file + " holds a private key that is encrypted; give one that is not");
      }
      switch (block.type()) {
        case "EC PARAMETERS" -> curve = der;
        case "PRIVATE KEY" -> {
          return parse(der, file);
        }
        case "RSA PRIVATE KEY" -> {
          return parse(pkcs8(RSA, der), file);
        }
        case "EC PRIVATE KEY" -> {
          byte[] named = curve(der, curve);
          return parse(pkcs8(der(SEQUENCE, join(EC_PUBLIC_KEY, named)), der), file);
        }
        default -> {}
      }
    }
    throw new GeneralSecurityException(
        file
            + " holds no private key; PEM blocks PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY are read");
  }

  /**
   * Checks that a key is that of the first certificate, which is what a server shows as its own.
   *
   * @throws GeneralSecurityException if it is not, with the certificate of the chain whose it is
   */
  static void requirePair(Path keyFile, PrivateKey key, Path file, X509Certificate[] chain)
      throws GeneralSecurityException {
    for (int i = 0; i < chain.length; i++) {
      if (isPair(key, chain[i].getPublicKey())) {
        if (i == 0) {
          return;
        }
        throw new GeneralSecurityException(
            "the key of %s belongs to certificate %d of %s, which must come first; put it there, and those that signed it behind it"
                .formatted(keyFile, i + 1, file));
      }
    }
    throw new GeneralSecurityException(
        "the key of %s does not belong to the certificate of %s (%s); give the two that were made together"
            .formatted(keyFile, file, chain[0].getSubjectX500Principal()));
  }

  private static boolean isPair(PrivateKey key, PublicKey other) {
    if (!key.getAlgorithm().equals(other.getAlgorithm())) {
      return false;
    }
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(VERSION_0);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(VERSION_0);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static PrivateKey parse(byte[] pkcs8, Path file) throws GeneralSecurityException {
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        // It is of another kind.
      }
    }
    throw new GeneralSecurityException(file + " holds a private key that is not EC, RSA, Ed25519");
  }

  /** RFC 5208: version, algorithm, key. */
  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return der(SEQUENCE, join(VERSION_0, algorithm, der(OCTETS, key)));
  }

  /**
   * RFC 5915: the name of the curve, which follows version and key under tag 0.
   *
   * @param before that of a block EC PARAMETERS; null if there was none
   */
  private static byte[] curve(byte[] ecPrivateKey, byte[] before) throws GeneralSecurityException {
    int at = ecPrivateKey.length > 2 && ecPrivateKey[1] < 0 ? 2 + (ecPrivateKey[1] & 0x7f) : 2;
    while (at + 2 <= ecPrivateKey.length) {
      int length = ecPrivateKey[at + 1] & 0xff;
      if ((ecPrivateKey[at] & 0xff) == CURVE_TAG && length < 0x80) {
        return java.util.Arrays.copyOfRange(ecPrivateKey, at + 2, at + 2 + length);
      }
      at += 2 + length;
    }
    if (before == null) {
      throw new GeneralSecurityException("an EC private key names no curve");
    }
    return before;
  }

  private static byte[] der(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
