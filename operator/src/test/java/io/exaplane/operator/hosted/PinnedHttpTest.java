// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.probe.CheckedAddress;
import io.exaplane.operator.probe.OffLimits;
import io.exaplane.operator.probe.ProbeFailure;
import io.exaplane.operator.wait.PemTls;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 11: a name that a user gives leads the operator nowhere but to what was checked. */
class PinnedHttpTest {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final InetAddress NOBODY = InetAddress.ofLiteral("192.0.2.1");

  private final KeyAndCertificate ca = CertificateAuthority.create("one", CLOCK);
  private final Vertx vertx = Vertx.vertx();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final Deque<InetAddress[]> answers = new ArrayDeque<>();
  private HttpsServer server;

  @BeforeEach
  void open() throws Exception {
    KeyAndCertificate own =
        new CertificateAuthority(ca, CLOCK)
            .issue(Leaf.server("api", List.of("api.example"), Duration.ofMinutes(9)));
    server = HttpsServer.create(new InetSocketAddress(HERE, 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            PemTls.fromText(ca.certificatePem(), own.certificatePem(), own.keyPem())) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
            ssl.setSNIMatchers(
                List.of(
                    new SNIMatcher(0) {
                      @Override
                      public boolean matches(SNIServerName name) {
                        asked.add("TLS " + new String(name.getEncoded(), StandardCharsets.UTF_8));
                        return true;
                      }
                    }));
            parameters.setSSLParameters(ssl);
          }
        });
    server.createContext(
        "/",
        exchange -> {
          asked.add("HTTP " + exchange.getRequestHeaders().getFirst("Host").split(":")[0]);
          byte[] body = "{\"gitVersion\":\"v1.37.2\"}".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Answers the resolver's questions one after the other, and the last one again and again. */
  private InetAddress[] resolve(String host) throws UnknownHostException {
    asked.add("DNS " + host);
    return answers.size() > 1 ? answers.pop() : answers.peek();
  }

  private void answer(InetAddress... addresses) {
    answers.add(addresses);
  }

  private String version(String name, boolean hereIsOffLimits) {
    HostedClients clients =
        new HostedClients(
            vertx,
            new CheckedAddress(
                this::resolve,
                address -> OffLimits.is(address) && (hereIsOffLimits || !address.equals(HERE))));
    String kubeconfig =
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "https://%s:%d", certificate-authority-data: %s}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """
            .formatted(
                name,
                server.getAddress().getPort(),
                Base64.getEncoder()
                    .encodeToString(ca.certificatePem().getBytes(StandardCharsets.US_ASCII)));
    try (KubernetesClient client = clients.openForeign(kubeconfig)) {
      Throwable failure =
          catchThrowable(() -> asked.add(client.getKubernetesVersion().getGitVersion()));
      return failure == null ? "v1.37.2" : ProbeFailure.of(failure);
    } finally {
      clients.close();
    }
  }

  @Test
  void theNameStaysThatOfTlsAndHttp() {
    answer(HERE);
    assertThat(version("api.example", false)).isEqualTo("v1.37.2");
    assertThat(asked)
        .containsExactlyInAnyOrder(
            "DNS api.example", "TLS api.example", "HTTP api.example", "v1.37.2");
    assertThat(version("another.example", false)).isEqualTo(ProbeFailure.NOT_TRUSTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "::1",
        "0.0.0.0",
        "169.254.169.254",
        "fd00:ec2::254",
        "64:ff9b::7f00:1",
        "192.0.2.1 127.0.0.1",
        "fd00::1 192.0.2.1 169.254.169.254"
      })
  void aNameThatLeadsHereIsNotAsked(String addresses) {
    answer(
        Arrays.stream(addresses.split(" "))
            .map(InetAddress::ofLiteral)
            .toArray(InetAddress[]::new));
    assertThat(version("api.example", true)).isEqualTo(ProbeFailure.OFF_LIMITS);
    assertThat(asked).containsExactly("DNS api.example");
  }

  /** It says another address when it is asked a second time: nobody asks a second time. */
  @Test
  void aNameThatChangesItsMindLeadsNowhereElse() {
    answer(HERE);
    answer(NOBODY);
    assertThat(version("api.example", false)).isEqualTo("v1.37.2");
    answers.clear();
    answer(HERE);
    assertThat(version("api.example", true)).isEqualTo(ProbeFailure.OFF_LIMITS);
  }

  @Test
  void aNameOfNobodyIsToldAsThat() {
    HostedClients clients =
        new HostedClients(
            vertx,
            new CheckedAddress(
                host -> {
                  throw new UnknownHostException(host);
                },
                OffLimits::is));
    try (KubernetesClient client =
        clients.openForeign(
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://api.example"}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """)) {
      assertThat(ProbeFailure.of(catchThrowable(client::getKubernetesVersion)))
          .isEqualTo(ProbeFailure.NO_ANSWER);
    } finally {
      clients.close();
    }
  }
}
