// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A private key in PEM, in each of the forms that etcd's tools, kubeadm and ours write. Pure. */
final class PemKey {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN (RSA |EC |)PRIVATE KEY-----([^-]+)-----END", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int FIRST_TAGGED = 0xa0;
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final byte[] RSA = {
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
  private static final byte[] EC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private PemKey() {}

  /**
   * The first key in a text.
   *
   * @throws GeneralSecurityException if there is none that can be read without a password
   */
  static PrivateKey read(String text) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new InvalidKeySpecException("the key is no PEM block of a private key");
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(block.group(2));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the key is no base64", e);
    }
    byte[] encoded =
        switch (block.group(1)) {
          case "RSA " -> wrapped(RSA, der);
          case "EC " -> wrapped(concat(EC, curve(der)), der);
          default -> der;
        };
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException _) {
        // Another algorithm's.
      }
    }
    throw new InvalidKeySpecException("the key is none of " + ALGORITHMS);
  }

  /** PKCS #8 around a key of an algorithm. */
  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return tagged(SEQUENCE, concat(VERSION_0, tagged(SEQUENCE, algorithm), tagged(OCTETS, key)));
  }

  /** The name of the curve in a key as SEC 1 writes it: version, number, [0] curve, [1] point. */
  private static byte[] curve(byte[] der) throws InvalidKeySpecException {
    int at = content(der, 0);
    while (at < der.length) {
      int from = content(der, at);
      int end = from + length(der, at);
      if (end > der.length) {
        break;
      }
      if ((der[at] & 0xff) == FIRST_TAGGED) {
        return Arrays.copyOfRange(der, from, end);
      }
      at = end;
    }
    throw new InvalidKeySpecException("the key does not name its curve");
  }

  private static int content(byte[] der, int at) throws InvalidKeySpecException {
    if (at + 1 >= der.length) {
      throw new InvalidKeySpecException("the key is incomplete");
    }
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int length(byte[] der, int at) throws InvalidKeySpecException {
    int content = content(der, at);
    if (content == at + 2) {
      return der[at + 1] & 0xff;
    }
    if (content > der.length || content > at + 5) {
      throw new InvalidKeySpecException("the key is incomplete");
    }
    int length = 0;
    for (int i = at + 2; i < content; i++) {
      length = length << 8 | der[i] & 0xff;
    }
    return length;
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
