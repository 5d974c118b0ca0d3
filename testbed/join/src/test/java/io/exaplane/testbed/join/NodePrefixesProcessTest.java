// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.FollowedNodes;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.exaplane.operator.nodepool.hosted.PodCidrPolicy;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Relay;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator gives the nodes of a pool of 70,000 their prefixes, on a real kube-apiserver whose
 * allocator is off: 50 simulated nodes report theirs, among them duplicates, one outside of its
 * pool, and one that moves. Each test goes on from where the one before ended.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodePrefixesProcessTest {
  private static final String POOL = "edge";
  private static final int PLANNED = 70_000;
  private static final int USUAL = 38;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A /64 for each of 16 million nodes: kube-controller-manager's allocator ends at 65,536. */
  private static final ClusterPlan PLAN =
      new ClusterPlan(
          List.of(
              new PoolPlan(
                  POOL, OptionalInt.of(64), List.of(AddressRange.of("2001:db8::/40")), PLANNED)),
          List.of(new ClusterPlan.Reserved("Services", AddressRange.of("2001:db8:ff:ffff::/112"))));

  @TempDir static Path folder;
  private static Cluster cluster;
  private static Relay wire;
  private static Kubelets kubelets;
  private static KubernetesClient client;
  private static FollowedNodes operator;
  private static final List<String> USUAL_PREFIXES = prefixes();

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
    wire = Relay.to(InetAddress.getLoopbackAddress(), cluster::port);
    kubelets = new Kubelets("https://127.0.0.1:" + cluster.port());
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://127.0.0.1:" + wire.port())
                    .withOauthToken(Http.TOKEN)
                    .withTrustCerts(true)
                    .withRequestTimeout(10_000)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    operator = FollowedNodes.start(client, PLAN);
  }

  @AfterAll
  static void end() throws IOException {
    if (operator != null) {
      operator.close();
      client.close();
    }
    if (kubelets != null) {
      kubelets.close();
      wire.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Of nodes anywhere among those that are planned; seeded. */
  private static List<String> prefixes() {
    Random random = new Random(70);
    Set<Integer> numbers = new HashSet<>();
    while (numbers.size() < USUAL) {
      numbers.add(random.nextInt(PLANNED));
    }
    return numbers.stream().map(NodePrefixesProcessTest::prefix).toList();
  }

  private static String prefix(int number) {
    return "2001:db8:%x:%x::/64".formatted(1 + number / 50_000, 1 + number % 50_000);
  }

  private static void await(String what, Callable<Boolean> holds) throws Exception {
    Await.until(
        PATIENCE, what, holds::call, () -> operator.counts(POOL) + " " + kubelets.podCidrs());
  }

  private static NodeCounts counts(String what, Predicate<NodeCounts> wanted) throws Exception {
    await(what, () -> operator.counts(POOL).filter(wanted).isPresent());
    return operator.counts(POOL).orElseThrow();
  }

  private static void all(List<Callable<Void>> parts) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    }
  }

  private static Callable<Void> joins(String node, String prefix) {
    return () -> {
      kubelets.register(node, POOL);
      kubelets.ask(node, prefix);
      return null;
    };
  }

  private static void assertNoTwoOverlap() throws Exception {
    List<AddressRange> seen = new ArrayList<>();
    for (Map.Entry<String, List<String>> node : kubelets.podCidrs().entrySet()) {
      for (String cidr : node.getValue()) {
        AddressRange range = AddressRange.of(cidr);
        assertThat(seen).as(node.getKey()).noneMatch(range::overlaps);
        seen.add(range);
      }
    }
  }

  @Test
  @Order(1)
  void fiftyNodesThatReportAtOnceGetWhatIsTheirs() throws Exception {
    List<Callable<Void>> hosts = new ArrayList<>();
    for (int i = 0; i < USUAL; i++) {
      hosts.add(joins("n%02d".formatted(i), USUAL_PREFIXES.get(i)));
    }
    // Two that want the same in the same moment, three times.
    for (int i = 0; i < 3; i++) {
      hosts.add(joins("twin-%d-a".formatted(i), "2001:db8:a0:%x::/64".formatted(i)));
      hosts.add(joins("twin-%d-b".formatted(i), "2001:db8:a0:%x::/64".formatted(i)));
    }
    hosts.add(joins("outside", "2001:db9::/64"));
    hosts.add(joins("ipv4", "10.244.0.0/24"));
    hosts.add(joins("host-bits", "2001:db8:a1::5/64"));
    hosts.add(joins("too-long", "2001:db8:a1:0:1::/80"));
    hosts.add(joins("services", "2001:db8:ff:ffff::/64"));
    hosts.add(joins("capitals", "2001:0DB8:A2::/64"));
    assertThat(hosts).hasSize(50);
    all(hosts);
    NodeCounts counts =
        counts(
            "all are decided",
            now -> now.prefixesUsed() == USUAL + 3 + 1 && now.prefixesInConflict() == 8);
    assertThat(counts.registered()).isEqualTo(50);
    assertThat(counts.versions()).containsEntry("1.37.2", 50);
    Map<String, List<String>> podCidrs = kubelets.podCidrs();
    for (int i = 0; i < USUAL; i++) {
      assertThat(podCidrs.get("n%02d".formatted(i))).containsExactly(USUAL_PREFIXES.get(i));
    }
    assertThat(podCidrs.get("capitals")).containsExactly("2001:db8:a2::/64");
    for (int i = 0; i < 3; i++) {
      assertThat(podCidrs.get("twin-%d-a".formatted(i)).size())
          .isNotEqualTo(podCidrs.get("twin-%d-b".formatted(i)).size());
    }
    assertNoTwoOverlap();
  }

  @Test
  @Order(2)
  void whoIsRefusedIsToldWhyOnItsNode() throws Exception {
    assertRefused("outside", "must lie in spec.addresses.prefixes of NodePool edge");
    assertRefused("ipv4", "must be an IPv6 network");
    assertRefused("host-bits", "the network is 2001:db8:a1::/64");
    assertRefused("too-long", "must have the length /64");
    assertRefused("services", "overlaps 2001:db8:ff:ffff::/112 of Services");
    String loser = kubelets.podCidrs().get("twin-0-a").isEmpty() ? "twin-0-a" : "twin-0-b";
    assertRefused(loser, "overlaps 2001:db8:a0::/64 of Node twin-0-");
    assertThat(kubelets.refusal("n00")).isEmpty();
  }

  private static void assertRefused(String node, String said) throws Exception {
    await(node + " is told", () -> kubelets.refusal(node).contains(said));
    assertThat(kubelets.podCidrs().get(node)).isEmpty();
  }

  @Test
  @Order(3)
  void whoIsCorrectedGetsItsPrefix() throws Exception {
    kubelets.ask("host-bits", "2001:db8:a1::/64");
    await("the prefix", () -> !kubelets.podCidrs().get("host-bits").isEmpty());
    await("no refusal", () -> kubelets.refusal("host-bits").isEmpty());
  }

  @Test
  @Order(4)
  void oneThatMovesIsNamedAndHealsWhenItJoinsAgain() throws Exception {
    kubelets.ask("n00", "2001:db8:b0::/64");
    NodeCounts counts =
        counts(
            "the moved one",
            now -> now.conflicts().stream().anyMatch(each -> each.node().equals("n00")));
    assertThat(counts.conflicts())
        .filteredOn(each -> each.node().equals("n00"))
        .extracting(NodeCounts.Failure::reason)
        .containsExactly(Reason.PrefixMoved);
    await("told", () -> kubelets.refusal("n00").contains("drain the Node, and delete it"));
    assertThat(kubelets.podCidrs().get("n00")).containsExactly(USUAL_PREFIXES.get(0));
    kubelets.delete("n00");
    joins("n00", "2001:db8:b0::/64").call();
    await(
        "the new prefix", () -> kubelets.podCidrs().get("n00").equals(List.of("2001:db8:b0::/64")));
    await("no refusal", () -> kubelets.refusal("n00").isEmpty());
  }

  /** The watch of the operator that begins shows the older Node first or last. */
  @Test
  @Order(5)
  void anOperatorThatStartsAgainGivesAwayNothing() throws Exception {
    Map<String, List<String>> before = kubelets.podCidrs();
    operator.close();
    assertThat(operator.awaitEndIsTold()).as("the pool learns that nobody looks").isTrue();
    joins("late-1", USUAL_PREFIXES.get(1)).call();
    joins("late-2", USUAL_PREFIXES.get(0)).call();
    operator = FollowedNodes.start(client, PLAN);
    await("what n00 had is free", () -> !kubelets.podCidrs().get("late-2").isEmpty());
    assertRefused("late-1", "of Node n01");
    Map<String, List<String>> after = kubelets.podCidrs();
    before.forEach((node, cidrs) -> assertThat(after.get(node)).as(node).isEqualTo(cidrs));
    assertNoTwoOverlap();
  }

  @Test
  @Order(6)
  void whatADeletedNodeHadIsFree() throws Exception {
    kubelets.delete("n01");
    await(
        "its prefix",
        () -> kubelets.podCidrs().get("late-1").equals(List.of(USUAL_PREFIXES.get(1))));
    await("no refusal", () -> kubelets.refusal("late-1").isEmpty());
  }

  /** What the operator relies on: a host speaks for itself only, and podCIDRs stay. */
  @Test
  @Order(7)
  void aHostCanSpeakForItselfOnly() throws Exception {
    assertThat(kubelets.annotate("n02", "n03", "2001:db8:b1::/64").statusCode()).isEqualTo(403);
    assertThat(
            kubelets
                .patch(
                    "n02",
                    "n02",
                    "{\"spec\": {\"podCIDR\": \"2001:db8:b1::/64\", \"podCIDRs\": [\"2001:db8:b1::/64\"]}}")
                .statusCode())
        .isIn(403, 422);
    assertThat(kubelets.podCidrs().get("n02")).containsExactly(USUAL_PREFIXES.get(2));
  }

  /**
   * NodeRestriction lets a kubelet write its podCIDRs once: nobody but the operator checks them.
   */
  @Test
  @Order(8)
  void aHostThatTakesAnothersPrefixIsNamed() throws Exception {
    kubelets.register("thief", POOL);
    assertThat(
            kubelets
                .patch(
                    "thief",
                    "thief",
                    "{\"spec\": {\"podCIDR\": \"%1$s\", \"podCIDRs\": [\"%1$s\"]}}"
                        .formatted(USUAL_PREFIXES.get(2)))
                .statusCode())
        .isEqualTo(200);
    await("told", () -> kubelets.refusal("thief").contains("of Node n02"));
    NodeCounts counts =
        counts(
            "the thief",
            now -> now.failures().stream().anyMatch(each -> each.node().equals("thief")));
    assertThat(counts.conflicts())
        .filteredOn(each -> each.node().equals("thief"))
        .extracting(NodeCounts.Failure::reason)
        .containsExactly(Reason.PrefixTaken);
    assertThat(kubelets.refusal("n02")).isEmpty();
    kubelets.delete("thief");
  }

  @Test
  @Order(9)
  void anOperatorThatIsCutOffGoesOnLater() throws Exception {
    wire.cut();
    kubelets.delete("n03");
    joins("heir", USUAL_PREFIXES.get(3)).call();
    joins("meanwhile", "2001:db8:b3::/64").call();
    assertThat(kubelets.podCidrs()).containsEntry("heir", List.of());
    wire.mend();
    await(
        "the prefix of one that went meanwhile",
        () -> kubelets.podCidrs().get("heir").equals(List.of(USUAL_PREFIXES.get(3))));
    await("another", () -> !kubelets.podCidrs().get("meanwhile").isEmpty());
    assertNoTwoOverlap();
  }

  @Test
  @Order(10)
  void aHostThatWritesAThousandTimesCostsFewWrites() throws Exception {
    int writes = 1_000;
    long before = kubelets.patches();
    for (int i = 0; i < writes; i++) {
      kubelets.ask("outside", "2001:db9:0:%x::/64".formatted(i));
    }
    joins("patient", "2001:db8:b2::/64").call();
    await("another host", () -> !kubelets.podCidrs().get("patient").isEmpty());
    long own = kubelets.patches() - before - writes - 1;
    System.out.printf("%d writes of the operator for %d of a host%n", own, writes);
    // One a second at most, after the first few; a busy machine takes minutes for the host's.
    assertThat(own).isBetween(1L, writes / 4L);
  }

  /** With the policy of pools with addresses, a host does not get so far. */
  @Test
  @Order(11)
  void aPolicyRefusesWhatAHostWritesItself() throws Exception {
    PodCidrPolicy.apply(client);
    AtomicReference<String> said = new AtomicReference<>("");
    await(
        "the policy is in force",
        () -> {
          kubelets.register("burglar", POOL);
          HttpResponse<String> answer =
              kubelets.patch(
                  "burglar",
                  "burglar",
                  "{\"spec\": {\"podCIDR\": \"::/0\", \"podCIDRs\": [\"::/0\"]}}");
          said.set(answer.body());
          if (answer.statusCode() == 403) {
            return true;
          }
          kubelets.delete("burglar");
          return false;
        });
    assertThat(said.get())
        .contains("spec.podCIDRs: must not be set by a kubelet")
        .contains("exaplane.io/pod-prefix");
    assertThat(kubelets.podCidrs().get("burglar")).isEmpty();
    kubelets.ask("burglar", "2001:db8:b4::/64");
    await(
        "a prefix by the operator",
        () -> kubelets.podCidrs().get("burglar").equals(List.of("2001:db8:b4::/64")));
    // With the prefix, the Node can be written by its kubelet as before.
    kubelets.ask("burglar", "2001:db8:b4::/64");
  }
}
