// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePoolStatus.Authorities;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.Followers;
import io.exaplane.operator.nodepool.address.NodeCounts.Group;
import io.exaplane.operator.nodepool.address.NodeCounts.Late;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What passes tell hosts about the CAs of the cluster, and what they tell people about hosts. */
class TrustPassTest {
  private static final String CA = "/api/v1/namespaces/ns/secrets/demo-ca";
  private static final Map<String, String> OLD = files("demo-ca");
  private static final Map<String, String> NEW = files("demo-ca-2");

  private Passes passes;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  private static Map<String, String> files(String name) {
    KeyAndCertificate ca = CertificateAuthority.create(name, Clock.systemUTC());
    return Map.of("tls.crt", ca.certificatePem(), "tls.key", ca.keyPem());
  }

  /** The CA at a step, and what the ControlPlane tells of it. */
  private void ca(Stage stage, int step, String phase, String owner) {
    RotatedKey key = key(stage, step);
    Map<String, String> data = new TreeMap<>();
    key.files().forEach((name, text) -> data.put(name, Passes.base64(text)));
    passes.management.put(
        CA,
        new SecretBuilder()
            .withNewMetadata()
            .withName("demo-ca")
            .withNamespace("ns")
            .addNewOwnerReference()
            .withApiVersion("exaplane.io/v1alpha1")
            .withKind("ControlPlane")
            .withName("demo")
            .withUid(owner)
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withData(data)
            .build());
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, pki: {rotation: {ca: {phase: %s, since: '2026-01-01T00:00:00Z'}}}}"
            .formatted(phase));
  }

  private static RotatedKey key(Stage stage, int step) {
    boolean isOld = stage == Stage.TRUSTED || step == 0;
    return new RotatedKey(
        stage,
        step,
        Instant.parse("2026-01-01T00:00:00Z"),
        isOld ? OLD : NEW,
        stage == Stage.SINGLE ? Map.of() : isOld ? NEW : OLD);
  }

  private static String id(Stage stage, int step) {
    return NodeAuthorities.of(key(stage, step), RotationPhase.Prepared).orElseThrow().id();
  }

  private Map<String, String> released() {
    return passes.hosted.get(Passes.HEARTBEATS, ConfigMap.class).getData();
  }

  private void nodes(Map<String, Integer> followers, String words) {
    int all = followers.values().stream().mapToInt(Integer::intValue).sum();
    Map<String, Group> groups = new TreeMap<>();
    followers.forEach(
        (id, number) ->
            groups.put(
                id, new Group(number, List.of(new Late("node-" + id, !id.isEmpty(), words)))));
    passes.counts =
        Optional.of(
            new NodeCounts(all, all, 0, 0, List.of(), all, 0, List.of(), new TreeMap<>())
                .with(new Followers(new TreeMap<>(groups))));
  }

  @Test
  void bothCasComeToNodesInStepsWhenTheRotationIsPrepared() {
    String before = id(Stage.SINGLE, 0);
    String both = id(Stage.ISSUING, 2);
    nodes(Map.of(before, 10), "");
    ca(Stage.TRUSTED, 1, "Preparing", "uid-demo");
    passes.pass();
    assertThat(released()).doesNotContainKeys("authorities", "proof");
    assertThat(passes.pool.getStatus().authorities()).isNull();
    ca(Stage.ISSUING, 2, "Prepared", "uid-demo");
    passes.pass();
    assertThat(released()).containsEntry("authoritiesReleasedPercent", "10").containsKey("proof");
    Authorities told = passes.pool.getStatus().authorities();
    assertThat(told.id()).isEqualTo(both);
    assertThat(told.followingNodes()).isZero();
    assertThat(told.otherNodes()).isEqualTo(10);
    assertThat(told.nodes().getFirst().message()).contains("when its share is released");
    Map<String, String> first = released();
    passes.pass();
    assertThat(released()).as("a second pass writes nothing").isEqualTo(first);
    passes.clock.go(Duration.ofMinutes(1));
    passes.pass();
    assertThat(released())
        .containsEntry("authoritiesReleasedPercent", "20")
        .containsEntry("proof", first.get("proof"));
    assertThat(passes.heartbeats.next(passes.beating)).isPresent();
    nodes(Map.of(both, 9, before, 1), "openssl is missing on the host");
    passes.pass();
    told = passes.pool.getStatus().authorities();
    assertThat(told.otherNodes()).isEqualTo(1);
    assertThat(told.nodes())
        .singleElement()
        .satisfies(
            late -> {
              assertThat(late.node()).isEqualTo("node-" + before);
              assertThat(late.message()).contains("openssl is missing", "docs/certificates.md");
            });
  }

  /** No kubelet restarts for that, so no host has to wait. */
  @Test
  void theRemovalOfTheOldCaComesToAllAtOnce() {
    nodes(Map.of(id(Stage.ISSUING, 2), 10), "");
    ca(Stage.SERVING, 3, "Completing", "uid-demo");
    passes.pass();
    assertThat(passes.pool.getStatus().authorities().otherNodes()).isZero();
    ca(Stage.SINGLE, 4, "Completed", "uid-demo");
    passes.pass();
    assertThat(released()).containsEntry("authoritiesReleasedPercent", "100");
    assertThat(passes.pool.getStatus().authorities().id()).isEqualTo(id(Stage.SINGLE, 4));
  }

  @Test
  void theGuardHoldsItToo() {
    nodes(Map.of(id(Stage.SINGLE, 0), 10), "");
    ca(Stage.ISSUING, 2, "Prepared", "uid-demo");
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, guard: {frozen: true}, pki: {rotation: {ca: {phase: Prepared}}}}");
    passes.pass();
    assertThat(released()).containsEntry("authoritiesReleasedPercent", "0");
  }

  @Test
  void hostsOfAnOldScriptAreNamed() {
    nodes(Map.of("", 3), "");
    ca(Stage.SINGLE, 0, "Completed", "uid-demo");
    passes.pass();
    assertThat(passes.pool.getStatus().authorities().nodes().getFirst().message())
        .contains("has not said", "run the present 'join.sh'");
  }

  @Test
  void theSecretOfAnotherIsNoCa() {
    ca(Stage.SINGLE, 4, "Completed", "uid-another");
    passes.pass();
    assertThat(released()).doesNotContainKey("authorities");
    assertThat(passes.pool.getStatus().authorities()).isNull();
  }
}
