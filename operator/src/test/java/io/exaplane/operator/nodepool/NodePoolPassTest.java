// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static io.exaplane.api.v1alpha1.NodePoolCondition.AddressesAssigned;
import static io.exaplane.api.v1alpha1.NodePoolCondition.ConfigurationValid;
import static io.exaplane.api.v1alpha1.NodePoolCondition.JoinMaterialReady;
import static io.exaplane.api.v1alpha1.NodePoolCondition.NodesReady;
import static io.exaplane.api.v1alpha1.NodePoolCondition.Ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.NodePoolStatus.JoinSecret;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What passes make, in which state, and that a second one writes nothing. */
class NodePoolPassTest {
  private Passes passes;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  private void quiet() {
    NodePoolStatus before = passes.pool.getStatus();
    int writes = passes.management.writes().size() + passes.hosted.writes().size();
    assertThat(passes.pass()).isEqualTo(before);
    assertThat(passes.management.writes().size() + passes.hosted.writes().size())
        .as("a second pass writes nothing")
        .isEqualTo(writes);
  }

  @Test
  void theFirstPassMakesAllAndTheSecondWritesNothing() {
    NodePoolStatus status = passes.pass();
    assertThat(passes.condition(ConfigurationValid)).isEqualTo("True/AsExpected");
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("True/AsExpected");
    assertThat(passes.condition(NodesReady)).isEqualTo("True/NoNodes");
    assertThat(passes.condition(AddressesAssigned)).isEqualTo("True/NoNodes");
    assertThat(passes.condition(Ready)).isEqualTo("True/AsExpected");
    assertThat(status.version()).isEqualTo("1.37.2");
    assertThat(status.nodes().summary()).isEqualTo("0/0");
    assertThat(status.joinSecretRef())
        .isEqualTo(new JoinSecret("workers-node-join", "2026-01-02T00:00:00Z"));
    assertThat(passes.script()).contains("https://[2001:db8::1]:6443", "nodeLeaseDurationSeconds");
    ClusterRoleBinding binding = passes.hosted.get(Passes.PROXIER, ClusterRoleBinding.class);
    assertThat(binding.getRoleRef().getName()).isEqualTo("system:node-proxier");
    assertThat(binding.getSubjects().getFirst().getName()).isEqualTo("system:nodes");
    assertThat(passes.hosted.below(Passes.POLICIES))
        .as("kubelets give themselves no addresses")
        .allMatch(path -> path.endsWith("/exaplane-pod-cidrs"))
        .hasSize(2);
    quiet();
    passes.clock.go(Duration.ofHours(11));
    quiet();
  }

  @Test
  void withoutAddressesNothingIsSaidOfThem() {
    passes.controlPlane("network: {podCIDRs: ['fd00:1::/48']}", "{version: {current: 1.37.2}}");
    passes.spec("maxNodes: 10");
    NodePoolStatus status = passes.pass();
    assertThat(status.prefixes()).isNull();
    assertThat(status.conditions().stream().map(each -> each.type()))
        .doesNotContain("AddressesAssigned");
    assertThat(passes.hosted.below(Passes.POLICIES)).isEmpty();
    assertThat(passes.condition(Ready)).isEqualTo("True/AsExpected");
    quiet();
  }

  @Test
  void afterHalfOfItsLifeAnotherTokenReplacesOne() throws InterruptedException {
    passes.pass();
    String first = passes.script();
    passes.clock.go(Duration.ofHours(12));
    passes.pass();
    assertThat(passes.script()).isNotEqualTo(first);
    assertThat(passes.hosted.below(Passes.TOKENS)).as("the former lives on").hasSize(2);
    assertThat(passes.pool.getStatus().joinSecretRef().expires()).isEqualTo("2026-01-02T12:00:00Z");
    quiet();
    assertThat(passes.told())
        .containsExactly(
            "Normal TokenRotated Secret workers-node-join has a new bootstrap token, which works"
                + " until 2026-01-02T12:00:00Z. The former one works until 2026-01-02T00:00:00Z.");
  }

  @Test
  void whatSomebodyTakesAwayIsMadeAgain() {
    passes.pass();
    passes.management.remove(Passes.SECRET);
    passes.hosted.remove(Passes.PROXIER);
    passes.pass();
    assertThat(passes.hosted.below(Passes.TOKENS)).as("the token is still good").hasSize(1);
    assertThat(passes.hosted.below(Passes.PROXIER)).hasSize(1);
    quiet();
    passes.hosted.remove(passes.hosted.below(Passes.TOKENS).getFirst());
    String before = passes.script();
    passes.pass();
    assertThat(passes.script()).as("with a token that works").isNotEqualTo(before);
    quiet();
    Secret changed = passes.secret();
    changed.getData().put("join.sh", Passes.base64("exit 0"));
    changed.getMetadata().setAnnotations(Map.of());
    passes.management.put(Passes.SECRET, changed);
    passes.pass();
    assertThat(passes.script()).startsWith("#!/bin/sh");
    quiet();
  }

  @Test
  void aChangeOfTheSpecIsInTheSecretAndKeepsTheToken() {
    passes.pass();
    Map<String, String> before = new TreeMap<>(passes.secret().getMetadata().getAnnotations());
    passes.spec("maxNodes: 10, labels: {rack: r9}, version: 1.36.4, " + NodePools.ADDRESSES);
    passes.pass();
    assertThat(passes.script()).contains("rack=r9", "1.36.4");
    assertThat(passes.pool.getStatus().version()).isEqualTo("1.36.4");
    assertThat(passes.secret().getMetadata().getAnnotations()).isEqualTo(before);
    quiet();
    passes.management.put(
        Passes.KUBECONFIG,
        new SecretBuilder()
            .withNewMetadata()
            .withName("demo-admin-kubeconfig")
            .endMetadata()
            .addToData("kubeconfig", Passes.base64(Passes.kubeconfig("https://[2001:db8::2]:6443")))
            .build());
    passes.pass();
    assertThat(passes.script()).contains("https://[2001:db8::2]:6443");
  }

  @ParameterizedTest
  @CsvSource({
    "WaitingForControlPlane, {}, true",
    "WaitingForCertificates, '{version: {current: 1.37.2}}', false"
  })
  void whatIsStillToComeIsWaitedFor(String reason, String status, boolean kubeconfig) {
    passes.controlPlane("", status);
    if (!kubeconfig) {
      passes.management.remove(Passes.KUBECONFIG);
    }
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/" + reason);
    assertThat(passes.condition(Ready)).isEqualTo("False/" + reason);
    assertThat(passes.hosted.writes()).isEmpty();
    quiet();
    passes.clock.go(Duration.ofMinutes(3));
    passes.pass();
    assertThat(passes.message(JoinMaterialReady)).contains("kubectl -n ns describe cpl demo");
  }

  @Test
  void withoutAControlPlaneNothingIsMade() {
    passes.controlPlane = Optional.empty();
    passes.counts = Optional.empty();
    passes.pass();
    assertThat(passes.condition(ConfigurationValid)).isEqualTo("False/ControlPlaneMissing");
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/ControlPlaneMissing");
    assertThat(passes.message(JoinMaterialReady)).contains("See ConfigurationValid");
    assertThat(passes.hosted.writes()).isEmpty();
    quiet();
  }

  @Test
  void aRefusedSpecMakesNoTokenAndTakesNoneAway() {
    passes.pass();
    passes.spec("maxNodes: 1001, " + NodePools.ADDRESSES);
    passes.clock.go(Duration.ofHours(13));
    passes.pass();
    assertThat(passes.condition(ConfigurationValid)).isEqualTo("False/NodesExceeded");
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/NodesExceeded");
    assertThat(passes.message(JoinMaterialReady)).contains("works until 2026-01-02T00:00:00Z");
    assertThat(passes.hosted.below(Passes.TOKENS)).hasSize(1);
    assertThat(passes.secret()).isNotNull();
    quiet();
  }

  @Test
  void aPauseOfTheControlPlaneIsTold() {
    passes.pass();
    passes.controlPlane("pausedUntil: 'true'", "{version: {current: 1.37.2}}");
    passes.clock.go(Duration.ofHours(13));
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).as("hosts can join").isEqualTo("True/Paused");
    assertThat(passes.message(JoinMaterialReady))
        .contains(
            "works until", "spec.pausedUntil of ControlPlane demo is true", "Remove the field");
    assertThat(passes.condition(NodesReady)).isEqualTo("Unknown/Paused");
    assertThat(passes.condition(AddressesAssigned)).isEqualTo("Unknown/Paused");
    assertThat(passes.hosted.below(Passes.TOKENS)).as("no new token").hasSize(1);
    quiet();
    passes.clock.go(Duration.ofHours(12));
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).as("it ended").isEqualTo("False/Paused");
    passes.controlPlane("pausedUntil: '2026-01-01T00:00:00Z'", "{version: {current: 1.37.2}}");
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("True/AsExpected");
  }

  @Test
  void anApiThatDoesNotAnswerIsTold() {
    passes.isConnected = false;
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WaitingForAPIServer");
    quiet();
    passes.isConnected = true;
    passes.pass();
    passes.hosted.refuse(503);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("Unknown/WaitingForAPIServer");
    assertThat(passes.message(JoinMaterialReady)).contains("works until 2026-01-02T00:00:00Z");
    quiet();
  }

  @Test
  void anApiThatTheControlPlaneCallsUnavailableIsNotAsked() {
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: Available, status: 'False', reason:"
            + " Unavailable, message: m, lastTransitionTime: '2026-01-01T00:00:00Z'}]}");
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WaitingForAPIServer");
    assertThat(passes.hosted.writes()).isEmpty();
    quiet();
  }

  /** It has no connections yet, and that is no news of a pool. */
  @Test
  void anOperatorThatHasJustBegunSaysNothingNew() {
    passes.pass();
    passes.isConnected = false;
    passes.counts = Optional.empty();
    quiet();
    passes.clock.go(Duration.ofHours(25));
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady))
        .as("the token has ended meanwhile")
        .isEqualTo("False/WaitingForAPIServer");
  }

  @Test
  void whoRefusesAWriteIsNamed() {
    passes.hosted.refuseWrites(403);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WriteRefused");
    assertThat(passes.message(JoinMaterialReady)).contains("answered 403");
    quiet();
    passes.hosted.refuseWrites(0);
    passes.management.refuseWrites(403);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WriteRefused");
    assertThat(passes.message(JoinMaterialReady)).contains("Secret workers-node-join");
    passes.management.refuseWrites(503);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/ReconcileFailed");
    passes.management.refuseWrites(0);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("True/AsExpected");
  }

  @Test
  void aSecretOfSomebodyElseIsLeftAlone() {
    passes.management.put(Passes.SECRET, secret(Map.of()));
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/SecretOfAnother");
    assertThat(passes.message(JoinMaterialReady)).contains("kubectl -n ns delete secrets workers");
    assertThat(passes.secret().getData()).containsOnlyKeys("theirs");
    assertThat(passes.pool.getStatus().joinSecretRef()).isNull();
    quiet();
  }

  @Test
  void aSecretOfABackupIsTakenOver() {
    passes.management.put(
        Passes.SECRET,
        secret(
            Map.of(
                "app.kubernetes.io/managed-by", "exaplane", "exaplane.io/node-pool", "workers")));
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/Creating");
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("True/AsExpected");
    quiet();
  }

  private static Secret secret(Map<String, String> labels) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName("workers-node-join")
        .withNamespace("ns")
        .withUid("theirs")
        .withResourceVersion("1")
        .withLabels(labels)
        .endMetadata()
        .addToData("theirs", "")
        .build();
  }

  @Test
  void nodesInConflictComeFirst() {
    passes.counts =
        Optional.of(
            new NodeCounts(
                3,
                1,
                0,
                2,
                List.of(
                    new NodeCounts.Failure("a", Reason.NodesNotReady, "Check the node."),
                    new NodeCounts.Failure("b", Reason.PrefixTaken, "Check the prefix.")),
                2,
                1,
                List.of(new NodeCounts.Failure("b", Reason.PrefixTaken, "Check the prefix.")),
                new TreeMap<>(Map.of("1.37.2", 3))));
    NodePoolStatus status = passes.pass();
    assertThat(status.failures().stream().map(NodePoolStatus.Failure::node))
        .containsExactly("b", "a");
    assertThat(status.prefixes()).isEqualTo(new NodePoolStatus.Prefixes(2, 1));
    assertThat(passes.condition(AddressesAssigned)).isEqualTo("False/PrefixTaken");
    assertThat(passes.condition(NodesReady)).isEqualTo("False/NodesNotReady");
    assertThat(passes.condition(Ready)).isEqualTo("False/PrefixTaken");
    quiet();
  }

  @Test
  void nodesThatTakeLongToJoinSayWhereToLook() {
    passes.counts =
        Optional.of(
            new NodeCounts(
                1, 0, 1, 0, List.of(), 1, 0, List.of(), new TreeMap<>(Map.of("1.37.2", 1))));
    passes.pass();
    assertThat(passes.condition(NodesReady)).isEqualTo("False/NodesJoining");
    passes.clock.go(Duration.ofMinutes(3));
    passes.pass();
    assertThat(passes.message(NodesReady))
        .contains("kubectl describe nodes -l exaplane.io/pool=workers");
  }

  @Test
  void nodesAreInTheStatusAndStayThereWhileNobodyLooks() {
    passes.counts =
        Optional.of(
            new NodeCounts(
                    41, 40, 1, 0, List.of(), 40, 0, List.of(), new TreeMap<>(Map.of("1.37.2", 41)))
                .with(new NodeCounts.Deliveries(30, 9)));
    NodePoolStatus status = passes.pass();
    assertThat(status.nodes()).isEqualTo(new NodePoolStatus.Nodes(41, 40, 1, 0, "40/41"));
    assertThat(status.prefixes()).isEqualTo(new NodePoolStatus.Prefixes(40, 0, 30, 9));
    assertThat(status.versions()).containsExactly(new NodePoolStatus.NodeVersion("1.37.2", 41));
    assertThat(status.leaseRenewalsPerSecond().expected()).as("41 each 20 s").isEqualTo(3);
    assertThat(passes.condition(NodesReady)).isEqualTo("False/TooManyNodes");
    passes.counts = Optional.empty();
    quiet();
  }

  /** What was true of nodes is not, as long as nobody can see them. */
  @Test
  void nodesThatNobodySeesAreUnknown() {
    passes.counts =
        Optional.of(
            new NodeCounts(
                3, 3, 0, 0, List.of(), 3, 0, List.of(), new TreeMap<>(Map.of("1.37.2", 3))));
    passes.pass();
    assertThat(passes.condition(NodesReady)).isEqualTo("True/AsExpected");
    passes.counts = Optional.empty();
    passes.pass();
    assertThat(passes.condition(NodesReady)).as("it begins").isEqualTo("True/AsExpected");
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: Available, status: 'False', reason:"
            + " Unavailable, message: m, lastTransitionTime: '2026-01-01T00:00:00Z'}]}");
    passes.pass();
    assertThat(passes.condition(NodesReady)).isEqualTo("Unknown/WaitingForAPIServer");
    assertThat(passes.message(NodesReady)).contains("3/3 were Ready before");
    quiet();
  }
}
