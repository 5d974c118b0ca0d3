// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that take one group only are reached, though no key for it is made before. */
class TlsGroupsTest {
  private static final String WORD = "word-of-the-test";

  @TempDir private static Path folder;
  private static SSLContext server;
  private static SSLContext client;

  @BeforeAll
  static void makeKeys() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                WORD)
            .inheritIO()
            .start();
    assertThat(tool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, WORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, WORD.toCharArray());
    server = SSLContext.getInstance("TLS");
    server.init(own.getKeyManagers(), null, null);
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    known.setCertificateEntry("server", keys.getCertificate("key"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
  }

  private static SSLParameters with(SSLParameters parameters, String... groups) {
    parameters.setNamedGroups(groups);
    return parameters;
  }

  private static String protocol(String group) throws Exception {
    try (SSLServerSocket listens =
        (SSLServerSocket)
            server
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listens.setSSLParameters(with(listens.getSSLParameters(), group));
      CompletableFuture<Integer> read =
          CompletableFuture.supplyAsync(
              () -> {
                try (SSLSocket one = (SSLSocket) listens.accept()) {
                  return one.getInputStream().read();
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      try (SSLSocket asks =
          (SSLSocket)
              client
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), listens.getLocalPort())) {
        asks.setSSLParameters(with(asks.getSSLParameters(), Exactl.GROUPS.split(",")));
        asks.startHandshake();
        asks.getOutputStream().write('x');
        assertThat(read.get()).isEqualTo('x');
        return asks.getSession().getProtocol();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x25519", "secp256r1", "secp384r1", "secp521r1"})
  void aServerOfOneGroupIsReached(String group) throws Exception {
    assertThat(protocol(group)).isEqualTo("TLSv1.3");
  }

  @Test
  void theGroupBeforeP256IsOfAnotherKindThanTheFirst() {
    assertThat(Exactl.GROUPS).startsWith("x25519,ffdhe");
  }
}
