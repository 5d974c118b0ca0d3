// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.exaplane.operator.hosted.HostedClients;
import io.exaplane.operator.probe.CheckedAddress;
import io.exaplane.operator.probe.HostileServer;
import io.exaplane.operator.probe.ProbeFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a user's kubeconfig leads, the operator asks for them, and tells little of what is there.
 */
class UserEndpointTest {
  private static final String FOUND = "s3cret-of-an-inner-service";
  private static final Set<String> WORDS =
      Set.of(
          ProbeFailure.NO_ANSWER,
          ProbeFailure.NOT_TRUSTED,
          ProbeFailure.UNAUTHORIZED,
          ProbeFailure.OFF_LIMITS,
          ProbeFailure.ANOTHER_ANSWER);

  private final Vertx vertx = Vertx.vertx();
  private final HostedClients clients =
      new HostedClients(vertx, new CheckedAddress(InetAddress::getAllByName, _ -> false));

  @AfterEach
  void close() {
    clients.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private KubernetesClient open(String server) {
    return clients.openForeign(
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """
            .formatted(server));
  }

  private Throwable failure(String server) {
    try (KubernetesClient client = open(server)) {
      return catchThrowable(
          () -> client.leases().inNamespace("kube-system").withName("kube-scheduler").get());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200 OK, 's3cret-of-an-inner-service'",
    "200 OK, '<html>s3cret-of-an-inner-service</html>'",
    "403 Forbidden, '{\"kind\":\"Status\",\"message\":\"s3cret-of-an-inner-service\"}'",
    "401 s3cret-of-an-inner-service, ''",
    "500 s3cret-of-an-inner-service, 's3cret-of-an-inner-service'",
    "418 x, '{\"kind\":\"Status\",\"reason\":\"s3cret-of-an-inner-service\"}'",
    "302 Found, 's3cret-of-an-inner-service'",
  })
  void whatIsFoundIsNotTold(String status, String body) throws Exception {
    try (HostileServer server = HostileServer.answering(status, body)) {
      Throwable failure = failure(server.address());
      assertThat(failure).as("it is no Lease").isNotNull();
      assertThat(ProbeFailure.of(failure)).isIn(WORDS).doesNotContain(FOUND);
    }
  }

  /** It would lead to where a kubeconfig may not. */
  @ParameterizedTest
  @ValueSource(strings = {"301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"})
  void aRedirectIsNotFollowed(String status) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HostileServer inner =
            new HostileServer("HTTP/1.1 200 OK\r\n\r\n", _ -> asked.incrementAndGet());
        HostileServer server =
            HostileServer.answering(status + "\r\nLocation: " + inner.address() + "/x", "")) {
      assertThat(ProbeFailure.of(failure(server.address()))).isIn(WORDS);
      assertThat(asked).hasValue(0);
    }
  }

  @Test
  void nobodyThereAndNoTlsAreToldAsThat() throws Exception {
    String gone;
    try (HostileServer server = HostileServer.answering("200 OK", "")) {
      gone = server.address();
      assertThat(ProbeFailure.of(failure(server.address().replace("http:", "https:"))))
          .isEqualTo(ProbeFailure.NOT_TRUSTED);
    }
    assertThat(ProbeFailure.of(failure(gone))).isEqualTo(ProbeFailure.NO_ANSWER);
  }

  @Test
  void anAnswerWithoutEndTakesNoMemory() throws Exception {
    try (HostileServer server = HostileServer.endless()) {
      Throwable failure =
          assertTimeoutPreemptively(Duration.ofMinutes(1), () -> failure(server.address()));
      assertThat(ProbeFailure.of(failure)).isIn(WORDS);
      assertThat(server.sentBytes()).as("what buffers hold").isLessThan(64 << 20);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "v1.36.3, 1.36.3",
        "v1.35.1-gke.100, 1.35.1",
        "v1.34.0+k3s1, 1.34.0",
        "s3cret, -",
        "v1.s3cret, -",
        "1, -",
        "'', -",
      })
  void aVersionIsOneOrIsNotRepeated(String said, String told) {
    assertThat(ProbeFailure.version(said)).isEqualTo(told);
    assertThat(ProbeFailure.version(null)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "demo-root-0, demo-root-0",
    "ip-10-0-0-1.Eu.internal, ip-10-0-0-1.Eu.internal",
    "'', ''",
    "s3cret of somebody, somebody whose name is no pod's",
    "'a\nb', somebody whose name is no pod's"
  })
  void aHolderIsAPodsNameOrIsNotRepeated(String said, String told) {
    assertThat(ProbeFailure.name(said)).isEqualTo(told);
  }
}
