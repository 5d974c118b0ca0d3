// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.app.tls.TestAuthority.Pair;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of the store's own CA, which are not all clients'. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientGateTest {
  private static final String CLIENT = "client";
  private static final String SERVER = "server";
  private static final String BOTH = "both";

  private TestAuthority authority;
  private Path certificate;
  private Path key;

  @BeforeAll
  void serverCertificate(@TempDir Path folder) throws Exception {
    authority = new TestAuthority(folder);
    Pair server = authority.issue("CN=store", SERVER, "ip:127.0.0.1");
    certificate = authority.pem("tls.crt", "CERTIFICATE", server.certificate().getEncoded());
    key = authority.pem("tls.key", "PRIVATE KEY", server.key().getEncoded());
  }

  static Stream<Arguments> clients() {
    AllowedClients one = new AllowedClients(Set.of("kube-apiserver-store-client"), Set.of());
    AllowedClients host = new AllowedClients(Set.of(), Set.of("c1.example", "192.0.2.1"));
    String apiserver = "CN=kube-apiserver-store-client";
    return Stream.of(
        Arguments.of("the apiserver", apiserver, CLIENT, "", one, true),
        Arguments.of("the apiserver of an older operator", apiserver, BOTH, "", one, true),
        Arguments.of(
            "any client where all are let in", "CN=x", CLIENT, "", AllowedClients.ALL, true),
        Arguments.of(
            "a client without usages where all are", "CN=x", "", "", AllowedClients.ALL, true),
        Arguments.of(
            "a server where all are let in", "CN=x", SERVER, "", AllowedClients.ALL, false),
        Arguments.of("a store of an older operator", "CN=demo-events", BOTH, "", one, false),
        Arguments.of(
            "the same where all are let in", "CN=demo-events", BOTH, "", AllowedClients.ALL, true),
        Arguments.of("a server with a client's name", apiserver, SERVER, "", one, false),
        Arguments.of("another spelling", "CN=KUBE-apiserver-store-client", CLIENT, "", one, false),
        Arguments.of("a longer name", apiserver + "-2", CLIENT, "", one, false),
        Arguments.of(
            "the name as another attribute",
            "OU=kube-apiserver-store-client",
            CLIENT,
            "",
            one,
            false),
        Arguments.of("the name beside another", apiserver + ",CN=x", CLIENT, "", one, false),
        Arguments.of(
            "the name beside another, turned", "CN=x," + apiserver, CLIENT, "", one, false),
        Arguments.of(
            "the name in another's value",
            "O=\"x,CN=kube-apiserver-store-client\"",
            CLIENT,
            "",
            one,
            false),
        Arguments.of(
            "the name as a DNS name",
            "CN=x",
            CLIENT,
            "dns:kube-apiserver-store-client",
            one,
            false),
        Arguments.of("a host", "CN=x", CLIENT, "dns:C1.example", host, true),
        Arguments.of("a host's address", "CN=x", CLIENT, "ip:192.0.2.1", host, true),
        Arguments.of("a host's domain", "CN=x", CLIENT, "dns:*.example", host, true),
        Arguments.of("another host", "CN=x", CLIENT, "dns:c2.example", host, false),
        Arguments.of("a host below", "CN=x", CLIENT, "dns:a.c1.example", host, false),
        Arguments.of("a host in the subject", "CN=c1.example", CLIENT, "", host, false));
  }

  @ParameterizedTest(name = "{0}: {5}")
  @MethodSource("clients")
  void comesInOrNot(
      String who, String subject, String usages, String names, AllowedClients allowed, boolean in)
      throws Exception {
    Pair client = authority.issue(subject, usages, names);
    assertThat(connects(client, allowed, TlsRules.USUAL).isEmpty()).as(who).isEqualTo(in);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoeverWasRevokedDoesNotComeIn(boolean isPem) throws Exception {
    Pair first = authority.issue("CN=x", CLIENT, "");
    Pair second = authority.issue("CN=x", CLIENT, "");
    byte[] list = authority.revoked(first.certificate());
    Path file = authority.pem("revoked", "X509 CRL", list);
    if (!isPem) {
      Files.write(file, list);
    }
    TlsRules rules = TlsRules.of("TLS1.2", "", List.of(), file);
    assertThat(connects(first, AllowedClients.ALL, rules)).isPresent();
    assertThat(connects(second, AllowedClients.ALL, rules)).isEmpty();
    Files.write(file, authority.revoked());
    assertThat(connects(first, AllowedClients.ALL, rules)).isEmpty();
    Files.writeString(file, "no list");
    assertThatThrownBy(() -> connects(second, AllowedClients.ALL, rules))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("--client-crl-file")
        .hasMessageContaining(file.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "TLS1.2, '', , TLSv1.2 TLSv1.3, TLS_AES_128_GCM_SHA256",
    "TLS1.3, '', , TLSv1.3, TLS_AES_128_GCM_SHA256",
    "TLS1.2, TLS1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS1.2, '', TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLSv1.2 TLSv1.3, TLS_AES_128_GCM_SHA256",
    "TLS1.2, '', TLS_AES_128_GCM_SHA256 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305, TLSv1.2 TLSv1.3, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS1.2, TLS1.2, TLS_AES_128_GCM_SHA256 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305, TLSv1.2, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
  })
  void versionsAndSuitesAreHeldTo(
      String least, String most, String suite, String versions, String has) throws Exception {
    List<String> suites = suite == null ? List.of() : List.of(suite.split(" "));
    TlsRules rules = TlsRules.of(least, most, suites, null);
    SSLEngine engine =
        new TlsFiles(certificate, key, authority.file(), AllowedClients.ALL, rules)
            .get()
            .newEngine(ByteBufAllocator.DEFAULT);
    assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrder(versions.split(" "));
    assertThat(engine.getEnabledCipherSuites())
        .contains(has)
        .hasSize(
            suite == null
                ? engine.getEnabledCipherSuites().length
                : versions.contains("1.3") ? 4 : 1);
  }

  @Test
  void suitesOfTls13AloneLeaveTls12Without() throws Exception {
    TlsRules rules = TlsRules.of("", "", List.of("TLS_AES_256_GCM_SHA384"), null);
    assertThat(rules.ciphers()).isNotEmpty().noneMatch(each -> each.contains("_WITH_"));
    assertThat(connects(authority.issue("CN=x", CLIENT, ""), AllowedClients.ALL, rules)).isEmpty();
    assertThatThrownBy(() -> TlsRules.of("", "TLS1.2", List.of("TLS_AES_256_GCM_SHA384"), null))
        .hasMessageContaining("--cipher-suites")
        .hasMessageContaining("--tls-max-version=TLS1.2");
  }

  /** A handshake between the store's side and a client, in memory; what ended it, if it failed. */
  private Optional<String> connects(Pair client, AllowedClients allowed, TlsRules rules)
      throws Exception {
    SslContext server = new TlsFiles(certificate, key, authority.file(), allowed, rules).get();
    SslContext other =
        SslContextBuilder.forClient()
            .keyManager(client.key(), client.certificate())
            .trustManager(authority.ca())
            .build();
    SSLEngine left = server.newEngine(ByteBufAllocator.DEFAULT, "192.0.2.7", 1);
    SSLEngine right = other.newEngine(ByteBufAllocator.DEFAULT, "127.0.0.1", 1);
    right.beginHandshake();
    left.beginHandshake();
    ByteBuffer toLeft = ByteBuffer.allocate(1 << 16);
    ByteBuffer toRight = ByteBuffer.allocate(1 << 16);
    try {
      for (int i = 0; i < 100; i++) {
        step(right, toRight, toLeft);
        step(left, toLeft, toRight);
      }
    } catch (SSLException failed) {
      return Optional.of(failed.getMessage());
    }
    assertThat(left.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
    return Optional.empty();
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    ByteBuffer plain = ByteBuffer.allocate(1 << 16);
    in.flip();
    engine.unwrap(in, plain);
    in.compact();
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    engine.wrap(ByteBuffer.allocate(0), out);
  }
}
