// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyTest {
  private static final String SEC1 =
      """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEICOQ5HkdcsUsFq3nGlSb16fQ3Xe4v4XhFPEMcs1+y+aPoAoGCCqGSM49
      AwEHoUQDQgAEGBcGWj4/jeKOhSRPuDrsVJeUWyMXKbIvo3GuAz/UBYe4brICbgAF
      V2zlfddZxFG3Ptm9v3t9HwILhXVw2kPJfQ==
      -----END EC PRIVATE KEY-----
      """;

  private static String pem(String type, byte[] der) {
    return "Bag Attributes\n-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void asJavaAndOursWriteIt(String algorithm) throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
    assertThat(PemKey.read(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
  }

  @Test
  void asKubeadmWritesIt() throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    // What PKCS #8 has before a key of 2,048 bits or more.
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
    PrivateKey read = PemKey.read(pem("RSA PRIVATE KEY", pkcs1));
    assertThat(read).isInstanceOf(RSAPrivateKey.class).isEqualTo(key);
  }

  @Test
  void asOpensslWritesIt() throws Exception {
    assertThat(PemKey.read(SEC1)).isInstanceOf(ECPrivateKey.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----"
      })
  void whatIsNoKeyIsSaid(String text) {
    assertThatThrownBy(() -> PemKey.read(text)).isInstanceOf(GeneralSecurityException.class);
  }
}
