// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static io.exaplane.api.v1alpha1.NodePoolCondition.JoinMaterialReady;
import static io.exaplane.api.v1alpha1.NodePoolCondition.NodesUpToDate;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePoolStatus.UpgradingNode;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What passes do about nodes whose kubelet is older than the pool. */
class UpgradePassTest {
  private static final String SPEC =
      "maxNodes: 10, " + NodePools.ADDRESSES + ", upgrade: {drainTimeoutMinutes: 20}";
  private static final String OLD = "1.36.4";
  private static final String NEW = "1.37.2";
  private static final String POD = "/api/v1/pods/web";

  private Passes passes;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
    passes.spec(SPEC);
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  private void node(String name, boolean ready, String kubelet) {
    Node there = passes.hosted.get(Passes.NODES + name, Node.class);
    passes.hosted.put(
        Passes.NODES + name,
        (there == null ? new NodeBuilder() : new NodeBuilder(there))
            .editOrNewMetadata()
            .withName(name)
            .withUid("uid-" + name)
            .withResourceVersion("7")
            .addToLabels(NodePoolNames.NODE_LABEL, "workers")
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus(ready ? "True" : "False")
            .endCondition()
            .withNewNodeInfo()
            .withKubeletVersion("v" + kubelet)
            .endNodeInfo()
            .endStatus()
            .build());
  }

  private void podOf(String node, boolean hasController) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("web")
            .withNamespace("ns")
            .withUid("uid-web")
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .endSpec();
    if (hasController) {
      pod.editMetadata()
          .addNewOwnerReference()
          .withKind("ReplicaSet")
          .withName("web")
          .withUid("uid-set")
          .withController(true)
          .endOwnerReference()
          .endMetadata();
    }
    passes.hosted.put(POD, pod.build());
  }

  private Node get(String name) {
    return passes.hosted.get(Passes.NODES + name, Node.class);
  }

  private String turn(String name) {
    Map<String, String> annotations = get(name).getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(NodePoolNames.UPGRADE, "");
  }

  private void pass(int seconds) {
    passes.clock.go(Duration.ofSeconds(seconds));
    passes.pass();
  }

  private List<UpgradingNode> going() {
    return passes.pool.getStatus().upgrade().nodes();
  }

  @Test
  void nodesAreUpgradedOneAfterTheOther() throws InterruptedException {
    node("n1", true, OLD);
    node("n2", true, OLD);
    podOf("n1", true);
    passes.pass();
    assertThat(get("n1").getSpec().getUnschedulable()).isTrue();
    assertThat(turn("n1")).isEqualTo("1.37.2;Draining;2026-01-01T00:00:00Z;Uncordon");
    assertThat(turn("n2")).isEmpty();
    assertThat(passes.upgrades.next(passes.pool, passes.upgrade)).contains(Duration.ofSeconds(10));
    pass(10);
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("False/NodesUpgrading");
    assertThat(passes.message(NodesUpToDate))
        .contains("0 of 2 nodes have version 1.37.2", "first n1, which is Draining since");
    assertThat(passes.hosted.writes()).contains("POST /api/v1/namespaces/ns/pods/web/eviction");
    assertThat(turn("n1")).contains("Draining");
    passes.hosted.remove(POD);
    pass(10);
    assertThat(turn("n1")).isEqualTo("1.37.2;Drained;2026-01-01T00:00:20Z;Uncordon");
    pass(10);
    assertThat(going()).extracting(UpgradingNode::phase).containsExactly("Drained");
    node("n1", true, NEW);
    pass(10);
    assertThat(turn("n1")).isEmpty();
    assertThat(get("n1").getSpec().getUnschedulable()).isNull();
    pass(10);
    assertThat(turn("n2")).contains("Draining");
    node("n2", true, NEW);
    pass(10);
    pass(10);
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("True/AsExpected");
    assertThat(going()).isNull();
    int writes = passes.hosted.writes().size();
    pass(10);
    assertThat(passes.hosted.writes()).as("a look at what is done").hasSize(writes);
    assertThat(passes.upgrades.next(passes.pool, passes.upgrade)).isEmpty();
    assertThat(passes.told().stream().filter(event -> event.contains("NodeReturned")))
        .hasSize(2)
        .anySatisfy(
            event -> assertThat(event).contains("The upgrade to 1.37.2 is over for node n1"));
  }

  @Test
  void aPoolWithoutTheFieldLeavesItsNodesAndTakesBackWhatBegan() {
    node("n1", true, OLD);
    passes.spec("maxNodes: 10, " + NodePools.ADDRESSES);
    passes.pass();
    assertThat(turn("n1")).isEmpty();
    assertThat(passes.pool.getStatus().upgrade()).isNull();
    passes.spec(SPEC);
    passes.pass();
    assertThat(turn("n1")).isNotEmpty();
    pass(10);
    passes.spec("maxNodes: 10, " + NodePools.ADDRESSES);
    passes.areNodesKnown = false;
    passes.pass();
    assertThat(going()).as("an operator that begins").hasSize(1);
    passes.areNodesKnown = true;
    passes.pass();
    assertThat(turn("n1")).isEmpty();
    assertThat(get("n1").getSpec().getUnschedulable()).isNull();
    passes.pass();
    assertThat(passes.pool.getStatus().upgrade()).isNull();
    assertThat(passes.pool.getStatus().conditions().stream().map(each -> each.type()))
        .doesNotContain("NodesUpToDate");
  }

  @Test
  void guardSilentApiAndFullStoreHold() {
    node("n1", true, OLD);
    passes.controlPlane("", "{version: {current: 1.37.2}, guard: {frozen: true}}");
    passes.pass();
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("False/UpgradeHeld");
    assertThat(passes.message(NodesUpToDate)).contains("meltdown guard");
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: Available, status: 'False', reason: X, message: X}]}");
    passes.pass();
    assertThat(passes.message(NodesUpToDate)).contains("The API does not serve");
    passes.controlPlane(
        "",
        "{version: {current: 1.37.2}, conditions: [{type: Degraded, status: 'True', reason: SpaceExceeded, message: X}]}");
    passes.pass();
    assertThat(passes.message(NodesUpToDate)).contains("A store takes no writes (SpaceExceeded)");
    assertThat(turn("n1")).isEmpty();
    passes.controlPlane("pausedUntil: 'true'", "{version: {current: 1.37.2}}");
    passes.pass();
    assertThat(passes.condition(NodesUpToDate)).endsWith("/Paused");
    assertThat(turn("n1")).isEmpty();
  }

  @Test
  void aPodThatDoesNotLeaveIsNamed() {
    node("n1", true, OLD);
    podOf("n1", false);
    passes.pass();
    pass(10);
    pass(10);
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("False/DrainBlocked");
    assertThat(passes.message(NodesUpToDate)).contains("Pod ns/web has no controller");
    assertThat(going().getFirst().message()).contains("Pod ns/web has no controller");
    assertThat(passes.hosted.below(POD)).as("it is not deleted").hasSize(1);
  }

  @Test
  void aHostThatFailedIsNamed() {
    node("n1", true, OLD);
    passes.pass();
    pass(10);
    Node drained = get("n1");
    drained
        .getMetadata()
        .getAnnotations()
        .put(NodePoolNames.UPGRADE_FAILED, NEW + ": exit code 100");
    passes.hosted.put(Passes.NODES + "n1", drained);
    pass(10);
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("False/NodeNotUpgraded");
    assertThat(passes.message(NodesUpToDate)).contains("1.37.2: exit code 100");
  }

  @Test
  void nodesThatAreNotReadyAndNoNodesAreToldOf() {
    passes.pass();
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("True/NoNodes");
    node("n1", false, OLD);
    passes.pass();
    assertThat(passes.condition(NodesUpToDate)).isEqualTo("False/NodesNotReady");
    assertThat(passes.upgrades.next(passes.pool, passes.upgrade)).contains(Duration.ofSeconds(30));
    passes.areNodesKnown = false;
    passes.pass();
    assertThat(passes.condition(NodesUpToDate)).as("kept").isEqualTo("False/NodesNotReady");
    assertThat(passes.pool.getStatus().upgrade().outdated()).isEqualTo(1);
  }

  @Test
  void anApiThatRefusesIsToldOf() {
    node("n1", true, OLD);
    passes.pass();
    passes.hosted.refuseWrites(403);
    pass(10);
    assertThat(passes.condition(JoinMaterialReady)).isEqualTo("False/WriteRefused");
  }

  @Test
  void aPoolThatIsDeletedGivesItsNodesBack() {
    node("n1", true, OLD);
    passes.pass();
    assertThat(turn("n1")).as("no status has it yet").isNotEmpty();
    passes.isConnected = false;
    assertThat(passes.upgrades.leave(passes.observe(), passes::turns)).isPresent();
    passes.isConnected = true;
    assertThat(passes.upgrades.leave(passes.observe(), passes::turns)).isEmpty();
    assertThat(turn("n1")).isEmpty();
    assertThat(get("n1").getSpec().getUnschedulable()).isNull();
  }
}
