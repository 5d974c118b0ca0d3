// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When simulated nodes send what, by a stopped clock. */
class SimulatedNodeTest {
  private static final Duration TOOK = Duration.ofMillis(20);
  private static final Duration WARM = Duration.ofSeconds(30);
  private static final Map<String, String> LABELS = Labels.of("nodes", "r1");

  private final FakeTimer timer = new FakeTimer();
  private final FakeApi api = new FakeApi(timer, TOOK);
  private final Times gaps = new Times();
  private final List<SimulatedNode> nodes = new ArrayList<>();

  private SimulatedNode node(int number) {
    KubeletTimes times = KubeletTimes.DEFAULT;
    SimulatedNode node =
        new SimulatedNode(
            new SimulatedNode.Settings(
                times,
                LABELS,
                0,
                WatchPlan.of("node"),
                true,
                true,
                new LeaseKeeper.Settings(
                    "kube-node-lease",
                    LABELS,
                    times.lease(),
                    times.heartbeatTimeout(),
                    true,
                    gaps)),
            api,
            timer,
            new Books(timer::nanos),
            new SplittableRandom(number),
            Labels.name("r1", number),
            number);
    nodes.add(node);
    return node;
  }

  private static boolean isRenewal(Call call) {
    return call.operation().toString().equals("update leases");
  }

  /**
   * Two thousand nodes that register within one second. If the load kept a bunch, some seconds
   * would have a thousand renewals and others none.
   */
  @Test
  void renewalsOfNodesThatStartTogetherDoNotBunch() {
    int count = 2_000;
    for (int i = 0; i < count; i++) {
      node(i).start();
    }
    timer.advance(WARM);
    long from = timer.nanos();
    Duration measured = Duration.ofMinutes(5);
    timer.advance(measured);
    Map<Long, Integer> perSecond = new HashMap<>();
    Map<String, List<Long>> perNode = new HashMap<>();
    for (FakeApi.Sent each : api.sent(SimulatedNodeTest::isRenewal)) {
      perNode.computeIfAbsent(each.call().path(), path -> new ArrayList<>()).add(each.at());
      if (each.at() >= from) {
        perSecond.merge((each.at() - from) / 1_000_000_000, 1, Integer::sum);
      }
    }
    // 10 s, 2 % of jitter in the mean, and the answer's time.
    double mean = count / (10.2 + TOOK.toNanos() / 1e9);
    double fiveSigmas = 5 * Math.sqrt(mean);
    assertThat(perSecond).hasSize((int) measured.toSeconds());
    assertThat(perSecond.values())
        .allMatch(each -> each > mean - fiveSigmas && each < mean + fiveSigmas);
    assertThat(perNode).hasSize(count);
    perNode.values().forEach(SimulatedNodeTest::haveTheKubeletsInterval);
    assertThat(gaps.longerThan(Duration.ofSeconds(11).toNanos())).isZero();
  }

  private static void haveTheKubeletsInterval(List<Long> times) {
    for (int i = 1; i < times.size(); i++) {
      double seconds = (times.get(i) - times.get(i - 1) - TOOK.toNanos()) / 1e9;
      assertThat(seconds).isBetween(10.0, 10.4);
    }
  }

  /** One at once, one within 2.5 to 7.5 minutes, and then every five, to a look of the kubelet. */
  @Test
  void anUnchangedStatusIsReportedAsRarelyAsAKubeletDoes() {
    for (int i = 0; i < 200; i++) {
      node(i).start();
    }
    timer.advance(Duration.ofMinutes(30));
    Map<String, List<Double>> reports = new HashMap<>();
    api.sent(call -> call.operation().toString().equals("patch nodes/status"))
        .forEach(
            each ->
                reports
                    .computeIfAbsent(each.call().path(), path -> new ArrayList<>())
                    .add(each.at() / 1e9));
    assertThat(reports).hasSize(200);
    for (List<Double> times : reports.values()) {
      assertThat(times.getFirst()).isLessThan(1);
      assertThat(times.get(1)).isBetween(150.0, 461.0);
      for (int i = 2; i < times.size(); i++) {
        assertThat(times.get(i) - times.get(i - 1)).isBetween(300.0, 311.0);
      }
    }
  }

  @Test
  void aNodeRegistersAsAKubeletAndOwnsItsLease() {
    node(7).start();
    timer.advance(Duration.ofSeconds(1));
    assertThat(api.operations())
        .containsExactly(
            "create nodes", "get leases", "patch nodes/status", "watch nodes", "create leases");
    assertThat(api.sent(call -> true))
        .allMatch(each -> each.call().node().equals("exaplane-bench-r1-000007"));
    assertThat(nodes.getFirst().state()).isEqualTo(SimulatedNode.State.RUNNING);
  }

  /** In front of a machine that is not there, a load balancer would lose connections. */
  @Test
  void loadBalancersLeaveTheNodeOut() throws Exception {
    byte[] node = NodeBody.created("n", 1, LABELS, 0, timer.now());
    assertThat(
            new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(node)
                .at("/metadata/labels")
                .has("node.kubernetes.io/exclude-from-external-load-balancers"))
        .isTrue();
  }

  @Test
  void aRegistrationThatFailsIsRepeatedWithPauses() {
    api.plan("create nodes", FakeApi.answer(500), FakeApi.answer(500), FakeApi.answer(503));
    node(1).start();
    timer.advance(Duration.ofSeconds(10));
    List<FakeApi.Sent> attempts =
        api.sent(call -> call.operation().toString().equals("create nodes"));
    assertThat(attempts).hasSize(4);
    assertThat((attempts.get(3).at() - attempts.get(2).at()) / 1_000_000)
        .isEqualTo(800 + TOOK.toMillis());
    assertThat(nodes.getFirst().state()).isEqualTo(SimulatedNode.State.RUNNING);
  }

  /** The fake's Node has no label of this run. */
  @Test
  void aNodeOfSomebodyElseIsLeftAlone() {
    api.plan("create nodes", FakeApi.answer(409));
    node(1).start();
    timer.advance(Duration.ofMinutes(1));
    assertThat(api.operations()).containsExactly("create nodes", "get nodes");
    assertThat(nodes.getFirst().state()).isEqualTo(SimulatedNode.State.FOREIGN);
  }

  @Test
  void aStoppedNodeSendsNothing() {
    SimulatedNode node = node(1);
    node.start();
    timer.advance(WARM);
    node.stop();
    int before = api.operations().size();
    timer.advance(Duration.ofMinutes(10));
    assertThat(api.operations()).hasSize(before);
  }
}
