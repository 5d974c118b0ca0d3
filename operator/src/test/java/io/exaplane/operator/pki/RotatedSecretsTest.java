// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.operator.wait.PemTls;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rotations of real keys in Secrets, by operators that end after any write; and TLS with them. */
class RotatedSecretsTest {
  private static final String ADDRESS = "127.0.0.1";
  private static final String API = "demo-apiserver-pki";
  private static final String MANAGER = "demo-controller-manager-pki";
  private static final String SCHEDULER = "demo-scheduler-pki";

  private final ControlPlane owner = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
  private final SecretServer api;
  private PkiResult last;
  private Instant again;
  private Outside outside = Outside.NONE;

  RotatedSecretsTest() throws IOException {
    api = new SecretServer();
  }

  @AfterEach
  void close() {
    api.close();
  }

  /** One pass of a new operator; false if a write was refused, after which nothing is told. */
  private boolean pass(RotationWish wish) {
    PkiReconciler pki = new PkiReconciler(owner, api.client, api::get, true, Clock.systemUTC());
    try {
      Authorities known = pki.authorities().orElseThrow();
      ControlPlanePki plans = new ControlPlanePki(owner, known, true);
      if (again != null) {
        pki.issueAgain(again);
      }
      String server = "https://127.0.0.1:6443";
      pki.ensure(plans.apiServer(ADDRESS, List.of()));
      pki.ensure(plans.controllerManager(server));
      pki.ensure(plans.scheduler(server));
      pki.ensure(plans.adminKubeconfig(server, ControlPlanePki.administrators(null)));
      pki.rotate(known, new RotationSpec(wish, wish), List.of(), true, true, outside);
      last = pki.result(java.util.Optional.of(known));
    } catch (KubernetesClientException ended) {
      return false;
    }
    assertThat(last.problem()).isEmpty();
    owner.setStatus(
        new ControlPlaneStatus(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            last.certificates(),
            null,
            null,
            null));
    return true;
  }

  /** The key of tokens waits for no nodes. */
  @Test
  void theOldCaWaitsForNodesUnlessAPersonGoesOnWithoutThem() {
    pass(null);
    pass(null);
    for (int steps = 0; steps < 4; steps++) {
      pass(RotationWish.Prepare);
    }
    assertThat(stage(Rotation.CA)).isEqualTo(Stage.ISSUING);
    List<String> behind = List.of("2 of 5 nodes of NodePool edge");
    outside = new Outside(behind, "0123456789abcdef", false);
    pass(RotationWish.Complete);
    pass(RotationWish.Complete);
    assertThat(stage(Rotation.CA)).isEqualTo(Stage.ISSUING);
    assertThat(stage(Rotation.SERVICE_ACCOUNT_KEY)).isEqualTo(Stage.SINGLE);
    outside = new Outside(behind, "0123456789abcdef", true);
    pass(RotationWish.Complete);
    assertThat(last.steps())
        .singleElement()
        .asString()
        .contains("exaplane.io/rotation-override", "without 2 of 5 nodes of NodePool edge");
  }

  /** Line "Tasks": what was issued before the task is issued again, once. */
  @Test
  void leavesAreIssuedAgainOnce() {
    pass(null);
    Map<String, byte[]> before = api.files().get(API);
    String ca = last.certificates().getFirst().sha256();
    again = Instant.now().plusSeconds(1);
    await(again);
    pass(null);
    assertThat(last.renewed()).hasSize(4);
    assertThat(last.certificates().getFirst().sha256()).isEqualTo(ca);
    assertThat(last.certificates().stream().filter(c -> c.renewAfter() != null))
        .isNotEmpty()
        .allMatch(
            c -> !Instant.parse(c.issuedAt()).isBefore(again.truncatedTo(ChronoUnit.SECONDS)));
    assertThat(api.files().get(API).get("apiserver.crt")).isNotEqualTo(before.get("apiserver.crt"));
    pass(null);
    assertThat(last.renewed()).as("a second pass issues nothing").isEmpty();
  }

  /** Certificates tell seconds: the next one has to have begun. */
  private static void await(Instant moment) {
    while (Instant.now().isBefore(moment)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Stage stage(String field) {
    return last.rotations().stream()
        .filter(rotation -> rotation.field().equals(field))
        .map(rotation -> rotation.key().stage())
        .findFirst()
        .orElseThrow();
  }

  /** The Secrets when everything was issued by the keys of a step. */
  private record Step(Stage ca, Stage tokens, Map<String, Map<String, byte[]>> files) {
    String text(String secret, String file) {
      return new String(files.get(secret).get(file), StandardCharsets.US_ASCII);
    }

    String trusted(String secret) {
      return files.get(secret).containsKey(ControlPlanePki.TRUST_FILE)
          ? text(secret, ControlPlanePki.TRUST_FILE)
          : text(secret, "ca.crt");
    }

    SSLContext server() throws Exception {
      return PemTls.fromText(trusted(API), text(API, "apiserver.crt"), text(API, "apiserver.key"));
    }

    SSLContext client(String secret) throws Exception {
      return PemTls.fromText(
          trusted(secret), text(secret, "client.crt"), text(secret, "client.key"));
    }
  }

  private Step step() {
    // The files of this moment, unless the pass made another step already: then of the next pass.
    return new Step(stage(Rotation.CA), stage(Rotation.SERVICE_ACCOUNT_KEY), api.files());
  }

  /** Every step of one rotation. */
  private List<Step> rotation() {
    List<Step> steps = new ArrayList<>();
    pass(null);
    pass(null);
    steps.add(step());
    for (RotationWish wish : List.of(RotationWish.Prepare, RotationWish.Complete)) {
      for (int pass = 0; pass < 4; pass++) {
        pass(wish);
        steps.add(step());
      }
    }
    return steps;
  }

  @Test
  void neighbouringStepsUnderstandEachOtherAndTheFirstIsRefusedByTheLast() throws Exception {
    List<Step> steps = rotation();
    assertThat(steps.stream().map(Step::ca).distinct())
        .containsExactly(Stage.SINGLE, Stage.TRUSTED, Stage.ISSUING, Stage.SERVING);
    for (int i = 0; i < steps.size(); i++) {
      for (int j = Math.max(0, i - 1); j <= Math.min(steps.size() - 1, i + 1); j++) {
        for (String client : List.of(MANAGER, SCHEDULER)) {
          assertThat(talk(steps.get(i).server(), steps.get(j).client(client)))
              .as("%s of step %d with a server of step %d", client, j, i)
              .isTrue();
        }
      }
    }
    Step first = steps.getFirst();
    Step last = steps.getLast();
    assertThat(last.ca()).isEqualTo(Stage.SINGLE);
    assertThat(talk(last.server(), last.client(MANAGER))).isTrue();
    assertThat(talk(last.server(), first.client(MANAGER))).as("an old credential").isFalse();
    assertThat(talk(first.server(), last.client(MANAGER))).as("an old server").isFalse();
    // A client that trusts both, with a certificate of the old CA alone.
    SSLContext old =
        PemTls.fromText(
            last.trusted(MANAGER) + first.trusted(MANAGER),
            first.text(MANAGER, "client.crt"),
            first.text(MANAGER, "client.key"));
    assertThat(talk(last.server(), old)).as("refused for its certificate").isFalse();
    assertThat(talk(first.server(), old)).isTrue();
  }

  @Test
  void whatEachComponentReadsAtEachStep() {
    for (Step step : rotation()) {
      // kube-controller-manager takes one certificate only for the CA that signs, and its key.
      assertThat(step.text(MANAGER, "ca.crt").split("BEGIN CERTIFICATE")).hasSize(2);
      assertThat(
              KeyAndCertificate.parse(
                  step.files().get(MANAGER).get("ca.crt"), step.files().get(MANAGER).get("ca.key")))
          .isPresent();
      int keys = step.tokens() == Stage.SINGLE ? 1 : 2;
      assertThat(step.text(API, "sa.pub").split("BEGIN PUBLIC KEY")).hasSize(keys + 1);
      assertThat(step.text(API, "sa.key")).isEqualTo(step.text(MANAGER, "sa.key"));
      int cas = step.ca() == Stage.SINGLE ? 1 : 2;
      for (String secret : List.of(API, MANAGER, SCHEDULER)) {
        assertThat(step.trusted(secret).split("BEGIN CERTIFICATE")).as(secret).hasSize(cas + 1);
      }
      assertThat(step.text(MANAGER, "kubeconfig"))
          .contains(
              step.files().get(MANAGER).containsKey(ControlPlanePki.TRUST_FILE)
                  ? "pki/trusted-ca.crt"
                  : "pki/ca.crt");
    }
  }

  /** Each pass is of a new operator, which ends after a few writes; then another one goes on. */
  @Test
  void anOperatorThatEndsAfterAnyWriteIsFollowedByOneThatGoesOn() {
    Random random = new Random(29);
    pass(null);
    pass(null);
    byte[] firstKey = api.files().get("demo-ca").get("tls.crt");
    for (RotationWish wish : List.of(RotationWish.Prepare, RotationWish.Complete)) {
      for (int pass = 0; pass < 60; pass++) {
        api.allow(random.nextInt(4));
        boolean whole = pass(wish);
        api.allow(Integer.MAX_VALUE);
        if (!whole && random.nextBoolean()) {
          assertThat(
                  new PkiReconciler(owner, api.client, api::get, true, Clock.systemUTC())
                      .existing())
              .as("whoever looks finds whole keys")
              .isPresent();
        }
      }
      pass(wish);
      assertThat(stage(Rotation.CA))
          .isEqualTo(wish == RotationWish.Prepare ? Stage.ISSUING : Stage.SINGLE);
    }
    assertThat(api.files().get("demo-ca").get("tls.crt")).isNotEqualTo(firstKey);
    int writes = api.writes;
    pass(null);
    assertThat(api.writes).as("a further pass writes nothing").isEqualTo(writes);
    pass(RotationWish.Prepare);
    assertThat(api.writes).as("the next rotation begins").isGreaterThan(writes);
  }

  /** By an operator that lost the Lease and does not know it yet. */
  @Test
  void aStepOnASecretThatSomebodyChangedIsNotMade() {
    pass(null);
    pass(null);
    PkiReconciler stale = new PkiReconciler(owner, api.client, api::get, true, Clock.systemUTC());
    Authorities seen = stale.authorities().orElseThrow();
    pass(RotationWish.Prepare);
    byte[] next = api.files().get("demo-ca").get("next-tls.crt");
    assertThat(next).isNotNull();
    stale.rotate(
        seen,
        new RotationSpec(RotationWish.Prepare, RotationWish.Prepare),
        List.of(),
        true,
        true,
        Outside.NONE);
    assertThat(stale.result(java.util.Optional.empty()).steps()).isEmpty();
    assertThat(api.files().get("demo-ca").get("next-tls.crt")).isEqualTo(next);
  }

  @Test
  void nothingMovesWhileAComponentRemainsOrTheSpecIsHeld() {
    pass(null);
    pass(null);
    int writes = api.writes;
    PkiReconciler pki = new PkiReconciler(owner, api.client, api::get, true, Clock.systemUTC());
    Authorities known = pki.authorities().orElseThrow();
    RotationSpec asks = new RotationSpec(RotationWish.Prepare, RotationWish.Prepare);
    pki.rotate(known, asks, List.of("demo-apiserver"), true, true, Outside.NONE);
    pki.rotate(known, asks, List.of(), true, false, Outside.NONE);
    assertThat(api.writes).isEqualTo(writes);
  }

  /** Whether both sides take each other for who they are. */
  private static boolean talk(SSLContext serves, SSLContext asks) throws Exception {
    try (SSLServerSocket listening =
        (SSLServerSocket)
            serves
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      listening.setNeedClientAuth(true);
      CompletableFuture<Boolean> served = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (var connection = listening.accept()) {
                  connection.getOutputStream().write(connection.getInputStream().read());
                  served.complete(true);
                } catch (IOException refused) {
                  served.complete(false);
                }
              });
      try (SSLSocket socket =
          (SSLSocket) asks.getSocketFactory().createSocket(ADDRESS, listening.getLocalPort())) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(7);
        return socket.getInputStream().read() == 7 && served.get();
      } catch (IOException refused) {
        return false;
      }
    }
  }
}
