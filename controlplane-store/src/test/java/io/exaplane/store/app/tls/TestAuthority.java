// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.security.auth.x500.X500Principal;

/** A CA, and what it signs, made here: a tool for it would be a process a certificate. */
public final class TestAuthority {
  private static final int SEQUENCE = 0x30;
  private static final byte[] ECDSA_SHA256 =
      der(SEQUENCE, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  private static final byte[] SERVER_AUTH = usage(1);
  private static final byte[] CLIENT_AUTH = usage(2);
  private static final String NAME = "CN=ca";

  private final Path folder;
  private final KeyPair keys;
  private final X509Certificate ca;
  private int issued;

  /** A key and the certificate that the CA signed for it. */
  public record Pair(PrivateKey key, X509Certificate certificate) {}

  public TestAuthority(Path folder) throws GeneralSecurityException {
    this.folder = folder;
    this.keys = pair();
    byte[] isCa = der(SEQUENCE, der(0x01, new byte[] {-1}));
    this.ca = sign(NAME, keys, extension(0x13, isCa));
  }

  /**
   * A leaf of the CA.
   *
   * @param usages server, client, both, or "" for no word on it
   * @param name dns:NAME or ip:ADDRESS, or ""
   */
  public Pair issue(String subject, String usages, String name) throws GeneralSecurityException {
    KeyPair pair = pair();
    byte[] extensions = {};
    if (!usages.isEmpty()) {
      byte[] all =
          switch (usages) {
            case "server" -> SERVER_AUTH;
            case "client" -> CLIENT_AUTH;
            default -> join(SERVER_AUTH, CLIENT_AUTH);
          };
      extensions = extension(0x25, der(SEQUENCE, all));
    }
    if (!name.isEmpty()) {
      String value = name.substring(name.indexOf(':') + 1);
      byte[] general =
          name.startsWith("dns:")
              ? der(0x82, value.getBytes(US_ASCII))
              : der(0x87, InetAddress.ofLiteral(value).getAddress());
      extensions = join(extensions, extension(0x11, der(SEQUENCE, general)));
    }
    return new Pair(pair.getPrivate(), sign(subject, pair, extensions));
  }

  X509Certificate ca() {
    return ca;
  }

  /** The CA's own certificate as a file. */
  public Path file() throws IOException, GeneralSecurityException {
    return pem("ca.crt", "CERTIFICATE", ca.getEncoded());
  }

  public Path pem(String name, String what, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what));
  }

  /** The CA's list of certificates that it takes back. */
  byte[] revoked(X509Certificate... certificates) throws GeneralSecurityException {
    byte[] day = der(0x17, "200101000000Z".getBytes(US_ASCII));
    byte[] entries = {};
    for (X509Certificate each : certificates) {
      byte[] serial = der(0x02, each.getSerialNumber().toByteArray());
      entries = join(entries, der(SEQUENCE, serial, day));
    }
    byte[] toBeSigned =
        der(
            SEQUENCE,
            der(0x02, new byte[] {1}),
            ECDSA_SHA256,
            new X500Principal(NAME).getEncoded(),
            day,
            der(0x17, "490101000000Z".getBytes(US_ASCII)),
            entries.length == 0 ? entries : der(SEQUENCE, entries));
    return der(SEQUENCE, toBeSigned, ECDSA_SHA256, signature(toBeSigned));
  }

  private byte[] signature(byte[] toBeSigned) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(toBeSigned);
    return der(0x03, new byte[] {0}, signature.sign());
  }

  private X509Certificate sign(String subject, KeyPair pair, byte[] extensions)
      throws GeneralSecurityException {
    byte[] validity =
        der(
            SEQUENCE,
            der(0x17, "200101000000Z".getBytes(US_ASCII)),
            der(0x17, "490101000000Z".getBytes(US_ASCII)));
    byte[] toBeSigned =
        der(
            SEQUENCE,
            der(0xa0, der(0x02, new byte[] {2})),
            der(0x02, BigInteger.valueOf(++issued).toByteArray()),
            ECDSA_SHA256,
            new X500Principal(NAME).getEncoded(),
            validity,
            new X500Principal(subject).getEncoded(),
            pair.getPublic().getEncoded(),
            extensions.length == 0 ? extensions : der(0xa3, der(SEQUENCE, extensions)));
    byte[] bits = signature(toBeSigned);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(der(SEQUENCE, toBeSigned, ECDSA_SHA256, bits)));
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    return generator.generateKeyPair();
  }

  /** One of id-ce, by its last number. */
  private static byte[] extension(int number, byte[] value) {
    return der(SEQUENCE, oid(0x55, 0x1d, number), der(0x04, value));
  }

  private static byte[] usage(int number) {
    return oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, number);
  }

  private static byte[] oid(int... bytes) {
    byte[] value = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      value[i] = (byte) bytes[i];
    }
    return der(0x06, value);
  }

  private static byte[] der(int tag, byte[]... contents) {
    byte[] content = join(contents);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length >= 0x100) {
      out.write(0x82);
      out.write(content.length >> 8);
    } else if (content.length >= 0x80) {
      out.write(0x81);
    }
    out.write(content.length);
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
