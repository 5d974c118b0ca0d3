// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static io.exaplane.operator.nodepool.address.Nodes.asking;
import static io.exaplane.operator.nodepool.address.Nodes.facts;
import static io.exaplane.operator.nodepool.address.Nodes.having;
import static io.exaplane.operator.nodepool.address.Nodes.plan;
import static io.exaplane.operator.nodepool.address.Nodes.pool;
import static io.exaplane.operator.nodepool.address.Nodes.reserved;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets which prefix, case by case. */
class PrefixBookTest {
  private final PrefixBook book = new PrefixBook();

  @BeforeEach
  void plans() {
    book.plan(
        new ClusterPlan(
            List.of(
                pool("p", 64, "2001:db8::/40", "2001:db8:ff00::/40"),
                pool("q", 80, "2001:db8:aa00::/40")),
            List.of(
                reserved("Services", "2001:db8:0:ffff::/112"),
                reserved("node w1 of the management cluster", "2001:db8:0:eeee::5"),
                reserved("pods of the management cluster", "10.0.0.0/8"))));
  }

  private void observe(NodeFacts... nodes) {
    for (NodeFacts node : nodes) {
      book.observe(node);
    }
    book.decide();
  }

  private void isGranted(String node, String prefix) {
    assertThat(book.decision(node).prefix().map(Prefix::toString)).contains(prefix);
  }

  private void isRefused(String node, Reason reason, String... said) {
    Decision decision = book.decision(node);
    assertThat(decision.reason()).as(decision.toString()).contains(reason);
    assertThat(decision.message()).contains(said).endsWith(".");
  }

  @Test
  void aPrefixOfThePoolIsGranted() {
    observe(asking("n1", 1, "2001:DB8:0:1::/64"), asking("n2", 2, "2001:db8:ff00::/64"));
    isGranted("n1", "2001:db8:0:1::/64");
    isGranted("n2", "2001:db8:ff00::/64");
    observe(having("n1", 1, "2001:db8:0:1::/64", "2001:db8:0:1::/64"));
    assertThat(book.decision("n1").state()).isEqualTo(Decision.State.SET);
  }

  @Test
  void whoSaysNothingIsAwaited() {
    observe(asking("n1", 1, ""));
    assertThat(book.decision("n1")).isEqualTo(Decision.WAITING);
    observe(having("n1", 1, "", "2001:db8:0:1::/64"));
    assertThat(book.decision("n1")).isEqualTo(Decision.SET);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2001:db9::/64        | PrefixOutsidePool | must lie in spec.addresses.prefixes of NodePool p (2001:db8::/40, 2001:db8:ff00::/40)
          2001:db8:aa00::/64   | PrefixOutsidePool | NodePool p
          2001:d00::/24        | PrefixOutsidePool | NodePool p
          2001:db8:0:1::/65    | PrefixInvalid     | must have the length /64
          2001:db8::/48        | PrefixInvalid     | must have the length /64
          2001:db8:0:1::1/64   | PrefixInvalid     | has bits behind its length
          nonsense             | PrefixInvalid     | must be an IPv6 network
          2001:db8:0:ffff::/64 | PrefixReserved    | overlaps 2001:db8:0:ffff::/112 of Services
          2001:db8:0:eeee::/64 | PrefixReserved    | overlaps 2001:db8:0:eeee::5 of node w1 of the management cluster
          """)
  void whatBreaksARuleIsNamed(String wanted, Reason reason, String said) {
    observe(asking("n1", 1, wanted));
    isRefused("n1", reason, said, "join the host again");
    observe(asking("n1", 1, "2001:db8:0:1::/64"));
    isGranted("n1", "2001:db8:0:1::/64");
  }

  @Test
  void whoAskedFirstKeepsIt() {
    observe(asking("young", 9, "2001:db8:0:1::/64"));
    observe(asking("old", 1, "2001:db8:0:1::/64"));
    isGranted("young", "2001:db8:0:1::/64");
    isRefused("old", Reason.PrefixTaken, "overlaps 2001:db8:0:1::/64 of Node young");
    book.forget("young");
    assertThat(book.decide()).containsExactly("old");
    isGranted("old", "2001:db8:0:1::/64");
  }

  @Test
  void ofTwoAtOnceTheOlderGetsItAndThenTheFirstByName() {
    observe(
        asking("c", 2, "2001:db8:0:1::/64"),
        asking("b", 1, "2001:db8:0:1::/64"),
        asking("a", 1, "2001:db8:0:1::/64"));
    isGranted("a", "2001:db8:0:1::/64");
    isRefused("b", Reason.PrefixTaken, "Node a");
    isRefused("c", Reason.PrefixTaken, "Node a");
    book.forget("a");
    assertThat(book.decide()).contains("b");
    isGranted("b", "2001:db8:0:1::/64");
    isRefused("c", Reason.PrefixTaken, "Node b");
  }

  @Test
  void aPrefixInsideOfAnothersIsTaken() {
    observe(having("wide", 1, "", "2001:db8:0:100::/56"));
    observe(asking("n1", 2, "2001:db8:0:1ff::/64"), asking("n2", 2, "2001:db8:0:200::/64"));
    isRefused("n1", Reason.PrefixTaken, "overlaps 2001:db8:0:100::/56 of Node wide");
    isGranted("n2", "2001:db8:0:200::/64");
    // And around another's, of a Node of nobody's pool.
    observe(facts("stranger", 1, "", "", List.of("2001:db8:0:300:5::/80")));
    observe(asking("n3", 2, "2001:db8:0:300::/64"));
    isRefused("n3", Reason.PrefixTaken, "of Node stranger");
    assertThat(book.decision("stranger")).isEqualTo(Decision.NONE);
  }

  @Test
  void whatIsWrittenComesBeforeWhatWasGranted() {
    observe(asking("n1", 1, "2001:db8:0:1::/64"));
    isGranted("n1", "2001:db8:0:1::/64");
    observe(having("other", 5, "", "2001:db8:0:1::/64"));
    isRefused("n1", Reason.PrefixTaken, "Node other");
    assertThat(book.decision("other")).isEqualTo(Decision.SET);
  }

  /** A host whose script joins again by itself. */
  private static NodeFacts moved(String name, String wanted, String has) {
    Node node = Nodes.node(having(name, 1, wanted, has));
    node.getMetadata().getAnnotations().put(NodePoolNames.READDRESSES, "yes");
    return NodeFacts.of(node);
  }

  @Test
  void oneMayMoveIfAnotherNodeWouldGetThePrefixAndItsHostMakesOne() {
    observe(having("n1", 1, "2001:db8:0:2::/64", "2001:db8:0:1::/64"));
    assertThat(book.mayMove("n1")).as("a host of an earlier script").isFalse();
    observe(moved("n1", "2001:db8:0:2::/64", "2001:db8:0:1::/64"));
    assertThat(book.mayMove("n1")).isTrue();
    observe(asking("n2", 2, "2001:db8:0:2::/64"));
    assertThat(book.mayMove("n1")).as("granted to another Node").isFalse();
    observe(having("n2", 2, "2001:db8:0:2::/64", "2001:db8:0:2::/64"));
    assertThat(book.mayMove("n1")).as("another Node's").isFalse();
    book.forget("n2");
    observe(moved("n1", "2001:db8:0:2::/64", "2001:db8:0:1::/64"));
    assertThat(book.mayMove("n1")).isTrue();
    observe(moved("n1", "2001:db9::/64", "2001:db8:0:1::/64"));
    assertThat(book.mayMove("n1")).as("outside of the pool").isFalse();
    observe(moved("n1", "2001:db8:0:1::/64", "2001:db8:0:1::/64"));
    assertThat(book.mayMove("n1")).as("the one that it has").isFalse();
    assertThat(book.mayMove("n9")).isFalse();
  }

  @Test
  void oneThatMovesIsNamedAndTakesNothing() {
    observe(having("n1", 1, "2001:db8:0:2::/64", "2001:db8:0:1::/64"));
    isRefused(
        "n1",
        Reason.PrefixMoved,
        "'2001:db8:0:2::/64' must be 2001:db8:0:1::/64",
        "drain the Node, and delete it, or set spec.upgrade",
        "its host then joins again");
    observe(asking("n2", 2, "2001:db8:0:2::/64"), asking("n3", 2, "2001:db8:0:1::/64"));
    isGranted("n2", "2001:db8:0:2::/64");
    isRefused("n3", Reason.PrefixTaken, "Node n1");
    // Made again, it has what it asks for, and what it had is free.
    book.forget("n1");
    observe(asking("n1", 9, "2001:db8:0:4::/64"));
    isGranted("n1", "2001:db8:0:4::/64");
    isGranted("n3", "2001:db8:0:1::/64");
  }

  @Test
  void whoAsksForAnotherBeforeItIsWrittenHasOnlyThat() {
    observe(asking("n1", 1, "2001:db8:0:1::/64"), asking("n2", 2, "2001:db8:0:1::/64"));
    observe(asking("n1", 1, "2001:db8:0:2::/64"));
    isGranted("n1", "2001:db8:0:2::/64");
    isGranted("n2", "2001:db8:0:1::/64");
  }

  @Test
  void aNodeMadeAgainIsAnother() {
    observe(having("n1", 1, "", "2001:db8:0:1::/64"), asking("n2", 2, "2001:db8:0:1::/64"));
    isRefused("n2", Reason.PrefixTaken, "Node n1");
    NodeFacts again = asking("n1", 9, "2001:db8:0:1::/64");
    observe(
        new NodeFacts(
            "n1",
            "uid-again",
            "7",
            again.created(),
            "p",
            again.wanted(),
            "",
            List.of(),
            false,
            "",
            ""));
    isGranted("n2", "2001:db8:0:1::/64");
    isRefused("n1", Reason.PrefixTaken, "Node n2");
  }

  /** Somebody wrote podCIDRs beside the operator. */
  @Test
  void whatIsWrittenAndWrongIsNamed() {
    observe(
        having("old", 1, "", "2001:db8:0:1::/64"),
        having("thief", 2, "", "2001:db8:0:1::/64"),
        having("outside", 1, "", "2001:db9::/64"),
        having("services", 1, "", "2001:db8:0:ffff::/64"),
        having("ipv4", 1, "", "10.1.0.0/24"));
    assertThat(book.decision("old")).isEqualTo(Decision.SET);
    isRefused("thief", Reason.PrefixTaken, "spec.podCIDRs", "Node old", "delete the Node");
    isRefused("outside", Reason.PrefixOutsidePool, "spec.podCIDRs", "delete the Node");
    isRefused("services", Reason.PrefixReserved, "spec.podCIDRs", "Services");
    assertThat(book.decision("ipv4")).isEqualTo(Decision.SET);
    book.forget("old");
    assertThat(book.decide()).containsExactly("thief");
    assertThat(book.decision("thief")).isEqualTo(Decision.SET);
  }

  @Test
  void aPoolThatHasNoPrefixesGivesNone() {
    observe(
        facts("unknown", 1, "none", "2001:db8:0:1::/64", List.of()),
        facts("silent", 1, "none", "", List.of()),
        facts("nobody's", 1, "", "2001:db8:0:1::/64", List.of()),
        facts("allocated", 1, "none", "2001:db8:0:1::/64", List.of("2001:db8:0:9::/64")));
    isRefused("unknown", Reason.PrefixOutsidePool, "'none' names no NodePool");
    assertThat(book.decision("silent")).isEqualTo(Decision.NONE);
    assertThat(book.decision("nobody's")).isEqualTo(Decision.NONE);
    assertThat(book.decision("allocated")).isEqualTo(Decision.NONE);
    book.plan(plan(pool("none", 64, "2001:db8::/40")));
    book.decide();
    isGranted("unknown", "2001:db8:0:1::/64");
  }

  /** A new operator knows nothing but the Nodes. */
  @Test
  void aBookThatIsWrittenAgainGivesAwayNothingThatSomebodyHas() {
    NodeFacts young = having("young", 9, "2001:db8:0:1::/64", "2001:db8:0:1::/64");
    NodeFacts old = asking("old", 1, "2001:db8:0:1::/64");
    observe(old, young);
    isRefused("old", Reason.PrefixTaken, "Node young");
    assertThat(book.decision("young")).isEqualTo(Decision.SET);
  }

  @Test
  void aMessageIsDecidedOnce() {
    observe(asking("n1", 1, "2001:db8:0:1::/64"), asking("n2", 2, "2001:db8:0:1::/64"));
    observe(having("n1", 1, "2001:db8:0:1::/64", "2001:db8:0:1::/64"));
    book.observe(having("n1", 1, "2001:db8:0:1::/64", "2001:db8:0:1::/64"));
    book.observe(asking("n2", 2, "2001:db8:0:1::/64"));
    assertThat(book.decide()).isEmpty();
  }

  /** The number. Who overlaps whom is no search of all others. */
  @Test
  void aHundredThousandNodes() {
    int nodes = 100_000;
    long begun = System.nanoTime();
    for (int i = 0; i < nodes; i++) {
      String prefix = "2001:db8:%x:%x::/64".formatted(i >> 12, i & 0xfff);
      book.observe(i % 2 == 0 ? asking("n" + i, i, prefix) : having("n" + i, i, prefix, prefix));
    }
    assertThat(book.decide()).hasSize(nodes);
    for (int i = 0; i < 10_000; i++) {
      String prefix = "2001:db8:%x:%x::/64".formatted(i >> 12, i & 0xfff);
      book.observe(asking("m" + i, nodes, prefix));
      book.decide();
    }
    isRefused("m77", Reason.PrefixTaken, "Node n77");
    assertThat((System.nanoTime() - begun) / 1e9).isLessThan(20.0);
  }
}
