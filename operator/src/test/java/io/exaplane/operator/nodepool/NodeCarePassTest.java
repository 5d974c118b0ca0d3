// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static io.exaplane.api.v1alpha1.NodePoolCondition.HeartbeatsUpToDate;
import static io.exaplane.api.v1alpha1.NodePoolCondition.JoinMaterialReady;
import static io.exaplane.api.v1alpha1.NodePoolCondition.NodesRepaired;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.Beats;
import io.exaplane.operator.nodepool.address.NodeCounts.Silent;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What passes do about nodes that have joined: their heartbeats, and those that are gone. */
class NodeCarePassTest {
  private static final String NODE = "/api/v1/nodes/";
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";
  private static final String REPAIR = ", repair: {removeAfterMinutes: 30}";

  private Passes passes;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  /** Ready nodes of which so many have each heartbeats. */
  private void nodes(int unreported, Map<String, Integer> beats) {
    int reported = beats.values().stream().mapToInt(Integer::intValue).sum();
    int longest =
        beats.keySet().stream()
            .mapToInt(text -> Heartbeats.parse(text).orElseThrow().leaseSeconds())
            .max()
            .orElse(0);
    passes.counts =
        Optional.of(
            ready(reported + unreported)
                .with(new Beats(new TreeMap<>(beats), reported, unreported, longest)));
  }

  private static NodeCounts ready(int nodes) {
    return new NodeCounts(nodes, nodes, 0, 0, List.of(), nodes, 0, List.of(), new TreeMap<>());
  }

  private Map<String, String> released() {
    return passes.hosted.get(Passes.HEARTBEATS, ConfigMap.class).getData();
  }

  @Test
  void hostsOfAPoolMayReadItsHeartbeatsAndNoMore() {
    passes.pass();
    assertThat(released())
        .containsEntry("heartbeats", "80-10-300")
        .containsEntry("releasedPercent", "100")
        .containsEntry("secondsBetweenLooks", "60");
    String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/";
    Role role = passes.hosted.get(rbac + "roles/exaplane-heartbeats-workers", Role.class);
    assertThat(role.getRules())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.getResources()).containsExactly("configmaps");
              assertThat(rule.getResourceNames()).containsExactly("exaplane-heartbeats-workers");
              assertThat(rule.getVerbs()).containsExactly("get");
            });
    RoleBinding binding =
        passes.hosted.get(rbac + "rolebindings/exaplane-heartbeats-workers", RoleBinding.class);
    assertThat(binding.getSubjects().getFirst().getName()).isEqualTo("system:nodes");
    int writes = passes.hosted.writes().size();
    passes.clock.go(Duration.ofMinutes(5));
    passes.pass();
    assertThat(passes.hosted.writes()).as("a second pass writes nothing").hasSize(writes);
    assertThat(passes.tokens.revoke(passes.pool, passes.controlPlane.orElseThrow())).isTrue();
    assertThat(passes.hosted.below(rbac)).as("with the pool's tokens").isEmpty();
    assertThat(passes.hosted.below(Passes.HEARTBEATS)).isEmpty();
  }

  @Test
  void aLongerLeaseWaitsForTheGracePeriodAndComesInSteps() {
    nodes(0, Map.of("80-10-300", 10));
    passes.pass();
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("True/AsExpected");
    passes.lease(120);
    passes.pass();
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("False/WaitingForGracePeriod");
    assertThat(passes.message(HeartbeatsUpToDate))
        .contains(
            "Leases of 120 s need a grace period of 150 s", "has 100 s", "keep Leases of 80 s");
    assertThat(released()).containsEntry("heartbeats", "80-10-300");
    assertThat(passes.script()).as("hosts that join, too").contains("80-10-300");
    passes.gracePeriod("2m30s", 1);
    passes.pass();
    assertThat(passes.message(HeartbeatsUpToDate)).contains("while its pods are replaced");
    passes.gracePeriod("2m30s", 2);
    passes.pass();
    assertThat(released())
        .containsEntry("heartbeats", "120-10-300")
        .containsEntry("releasedPercent", "10");
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("False/HeartbeatsChanging");
    assertThat(passes.pool.getStatus().heartbeats().longestLeaseSeconds()).isEqualTo(120);
    assertThat(passes.heartbeats.next(passes.beating).orElseThrow())
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(62));
    passes.clock.go(Duration.ofMinutes(1));
    passes.pass();
    assertThat(released()).containsEntry("releasedPercent", "20");
    nodes(0, Map.of("120-10-300", 10));
    passes.pass();
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("True/AsExpected");
    assertThat(passes.pool.getStatus().heartbeats().updatedNodes()).isEqualTo(10);
  }

  @Test
  void aShorterLeaseIsTheLongestUntilTheLastNodeHasIt() {
    nodes(0, Map.of("80-10-300", 10));
    passes.pass();
    passes.lease(40);
    passes.pass();
    assertThat(released()).containsEntry("heartbeats", "40-10-300");
    assertThat(passes.pool.getStatus().heartbeats().longestLeaseSeconds()).isEqualTo(80);
    nodes(0, Map.of("80-10-300", 1, "40-10-300", 9));
    passes.pass();
    assertThat(passes.pool.getStatus().heartbeats().longestLeaseSeconds()).isEqualTo(80);
    nodes(0, Map.of("40-10-300", 10));
    passes.pass();
    assertThat(passes.pool.getStatus().heartbeats().longestLeaseSeconds()).isEqualTo(40);
  }

  @Test
  void theGuardHoldsAChange() {
    nodes(0, Map.of("80-10-300", 10));
    passes.pass();
    passes.lease(40);
    passes.controlPlane("", "{version: {current: 1.37.2}, guard: {frozen: true}}");
    passes.pass();
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("False/HeartbeatsHeld");
    assertThat(released()).containsEntry("releasedPercent", "0");
    assertThat(passes.heartbeats.next(passes.beating)).isEmpty();
  }

  @Test
  void hostsWithoutTheProgramAreNamed() {
    nodes(3, Map.of("80-10-300", 1));
    passes.pass();
    assertThat(passes.condition(HeartbeatsUpToDate)).isEqualTo("False/HeartbeatsUnknown");
    assertThat(passes.message(HeartbeatsUpToDate)).contains("3 of 4 nodes", "join.sh");
  }

  @Test
  void whatSomebodyWroteIntoTheConfigMapIsWrittenAgain() {
    nodes(0, Map.of("80-10-300", 10));
    passes.pass();
    ConfigMap changed = passes.hosted.get(Passes.HEARTBEATS, ConfigMap.class);
    changed.setData(Map.of("heartbeats", "rm -rf", "releasedPercent", "all"));
    passes.hosted.put(Passes.HEARTBEATS, changed);
    passes.pass();
    assertThat(released())
        .containsEntry("heartbeats", "80-10-300")
        .containsEntry("releasedPercent", "100");
  }

  @Test
  void anApiThatRefusesIsToldOf() {
    passes.pass();
    passes.lease(40);
    passes.hosted.refuseWrites(403);
    passes.pass();
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WriteRefused");
  }

  private void silent(int number, Instant since) {
    passes.hosted.put(
        NODE + "gone",
        new NodeBuilder()
            .withNewMetadata()
            .withName("gone")
            .withUid("u")
            .withResourceVersion("7")
            .endMetadata()
            .build());
    passes.counts =
        Optional.of(
            ready(20).with(new Silent(number, List.of(new SilentNode("gone", "7", since)))));
  }

  @Test
  void aNodeThatIsGoneForLongIsDeletedOnceAndNamed() throws InterruptedException {
    passes.spec("maxNodes: 20, " + NodePools.ADDRESSES + REPAIR);
    silent(1, passes.clock.instant());
    passes.pass();
    assertThat(passes.condition(NodesRepaired)).isEqualTo("True/AsExpected");
    assertThat(passes.message(NodesRepaired)).contains("2026-01-01T00:30:00Z");
    passes.clock.go(Duration.ofMinutes(29));
    passes.pass();
    assertThat(passes.hosted.below(NODE)).hasSize(1);
    passes.clock.go(Duration.ofMinutes(1));
    passes.pass();
    assertThat(passes.hosted.below(NODE)).as("the first look at the Lease").hasSize(1);
    assertThat(passes.message(NodesRepaired)).contains("do not change for 120 s: gone");
    assertThat(passes.repairs.next(passes.repair)).contains(Duration.ofMinutes(2));
    passes.clock.go(Duration.ofMinutes(2));
    passes.pass();
    assertThat(passes.hosted.below(NODE)).isEmpty();
    passes.pass();
    assertThat(passes.told().stream().filter(event -> event.contains("NodeRemoved")))
        .singleElement()
        .satisfies(event -> assertThat(event).contains("Node gone", "removeAfterMinutes 30"));
  }

  private void renewed(Instant time) {
    passes.hosted.put(
        LEASE + "gone",
        new LeaseBuilder()
            .withNewMetadata()
            .withName("gone")
            .withNamespace("kube-node-lease")
            .endMetadata()
            .withNewSpec()
            .withRenewTime(ZonedDateTime.ofInstant(time, ZoneOffset.UTC))
            .endSpec()
            .build());
  }

  /** Two passes, between which a Lease that nobody renews stays the same for long enough. */
  private void passTwice() {
    passes.pass();
    passes.clock.go(Duration.ofMinutes(2));
    passes.pass();
  }

  @Test
  void aNodeThatRenewsItsLeaseIsBackThoughItsClockIsSlow() {
    passes.spec("maxNodes: 20, " + NodePools.ADDRESSES + REPAIR);
    Instant since = passes.clock.instant();
    silent(1, since);
    passes.clock.go(Duration.ofHours(1));
    for (int i = 1; i <= 5; i++) {
      renewed(since.minus(Duration.ofDays(1)).plusSeconds(i));
      passes.pass();
      passes.clock.go(Duration.ofMinutes(2));
    }
    assertThat(passes.hosted.below(NODE)).hasSize(1);
  }

  @Test
  void aNodeThatIsGoneIsDeletedThoughItsClockWasFast() {
    passes.spec("maxNodes: 20, " + NodePools.ADDRESSES + REPAIR);
    Instant since = passes.clock.instant();
    silent(1, since);
    renewed(since.plus(Duration.ofDays(1)));
    passes.clock.go(Duration.ofHours(1));
    passTwice();
    assertThat(passes.hosted.below(NODE)).isEmpty();
  }

  @Test
  void tooManySilentNodesAreHeldAndToldOf() {
    passes.spec("maxNodes: 20, " + NodePools.ADDRESSES + REPAIR);
    silent(3, passes.clock.instant());
    passes.clock.go(Duration.ofHours(1));
    passTwice();
    assertThat(passes.condition(NodesRepaired)).isEqualTo("False/RepairHeld");
    assertThat(passes.hosted.below(NODE)).hasSize(1);
  }

  @Test
  void whileTheGuardHoldsOrTheApiIsSilentNoNodeIsDeleted() {
    passes.spec("maxNodes: 20, " + NodePools.ADDRESSES + REPAIR);
    silent(1, passes.clock.instant());
    passes.clock.go(Duration.ofHours(1));
    passes.controlPlane("", "{version: {current: 1.37.2}, guard: {frozen: true}}");
    passTwice();
    assertThat(passes.message(NodesRepaired)).contains("meltdown guard");
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: Available, status: 'False', reason: X, message: X}]}");
    passTwice();
    assertThat(passes.message(NodesRepaired)).contains("the API does not serve");
    assertThat(passes.hosted.below(NODE)).hasSize(1);
  }

  @Test
  void withoutRepairNoNodeIsDeleted() {
    silent(1, passes.clock.instant());
    passes.clock.go(Duration.ofDays(30));
    passTwice();
    assertThat(passes.hosted.below(NODE)).hasSize(1);
    assertThat(passes.pool.getStatus().conditions().stream().map(each -> each.type()))
        .doesNotContain("NodesRepaired");
  }
}
