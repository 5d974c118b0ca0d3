// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.Failure;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Verdict;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the two conditions about nodes say, with numbers, names and the next action. */
class NodeConditionsTest {
  private static Verdict ready(NodeCounts counts, int most) {
    Verdict verdict = NodesReadyCondition.of(counts, most);
    // Asserts that the next action is named.
    new ConditionSet(List.of(), 1L, Clock.systemUTC()).set(NodePoolCondition.NodesReady, verdict);
    return verdict;
  }

  private static Verdict assigned(NodeCounts counts) {
    Verdict verdict = AddressesAssignedCondition.of(counts);
    new ConditionSet(List.of(), 1L, Clock.systemUTC())
        .set(NodePoolCondition.AddressesAssigned, verdict);
    return verdict;
  }

  private static NodeCounts counts(
      int ready, int joining, List<Failure> failures, int used, List<Failure> conflicts) {
    return new NodeCounts(
        ready + joining + failures.size(),
        ready,
        joining,
        failures.size(),
        failures,
        used,
        conflicts.size(),
        conflicts,
        new TreeMap<>());
  }

  private static void says(Verdict verdict, boolean met, Reason reason, String... said) {
    assertThat(verdict.met()).as(verdict.toString()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(said);
  }

  @Test
  void aPoolWithoutNodesIsAsItShouldBe() {
    says(
        ready(NodeCounts.none(), 3),
        true,
        Reason.NoNodes,
        "When JoinMaterialReady is True, run 'join.sh'");
    says(assigned(NodeCounts.none()), true, Reason.NoNodes, "No node has joined yet.");
  }

  @Test
  void nodesThatJoinAreAwaited() {
    NodeCounts counts = counts(2, 1, List.of(), 2, List.of());
    says(
        ready(counts, 3),
        false,
        Reason.NodesJoining,
        "2 of 3 nodes are Ready, and 1 are joining. No action is needed.");
    says(
        assigned(counts),
        true,
        Reason.AsExpected,
        "2 of 3 nodes have the prefix that their hosts asked for; the others are joining.");
  }

  @Test
  void allAreReady() {
    NodeCounts counts = counts(3, 0, List.of(), 3, List.of());
    says(ready(counts, 3), true, Reason.AsExpected, "All 3 nodes are Ready.");
    says(assigned(counts), true, Reason.AsExpected, "Each node has the prefix");
  }

  @Test
  void moreThanTheSpecAllowsAreTold() {
    says(
        ready(counts(3, 0, List.of(), 3, List.of()), 2),
        false,
        Reason.TooManyNodes,
        "spec.maxNodes 2: 3 nodes have joined. Raise spec.maxNodes");
  }

  @Test
  void theFirstFailuresAreNamed() {
    List<Failure> failures =
        IntStream.range(0, 5)
            .mapToObj(i -> new Failure("n" + i, Reason.NodesNotReady, "No. Check the kubelet."))
            .toList();
    says(
        ready(counts(1, 0, failures, 6, List.of()), 9),
        false,
        Reason.NodesNotReady,
        "1 of 6 nodes are Ready, 0 are joining, and 5 need an action.",
        "Node n0: No. Check the kubelet. Node n1: ",
        "Node n2: No. Check the kubelet. And 2 more; see status.failures.");
  }

  @Test
  void aConflictGivesTheReason() {
    Failure moved = new Failure("n1", Reason.PrefixMoved, "moved; delete the Node.");
    says(
        assigned(counts(1, 0, List.of(moved), 1, List.of(moved))),
        false,
        Reason.PrefixMoved,
        "1 of 2 nodes have no prefix that works. Node n1: moved; delete the Node.");
  }

  @ParameterizedTest
  @EnumSource(names = {"PrefixInvalid", "PrefixOutsidePool", "PrefixReserved", "PrefixTaken"})
  void eachRefusalIsTheReason(Reason reason) {
    Failure refused = new Failure("n1", reason, "refused; choose another.");
    says(
        assigned(counts(0, 0, List.of(refused), 0, List.of(refused))),
        false,
        reason,
        "1 of 1 nodes have no prefix that works. Node n1: refused; choose another.");
  }

  @Test
  void aNodeThatHasNoneIsToldOf() {
    Failure missing = new Failure("n1", Reason.PrefixMissing, "no annotation; see the script.");
    says(
        assigned(counts(1, 0, List.of(missing), 1, List.of())),
        false,
        Reason.PrefixMissing,
        "Nodes have no prefix. Node n1: no annotation");
    Failure refused = new Failure("n2", Reason.WriteRefused, "W refuses. Change W.");
    says(
        assigned(counts(1, 0, List.of(refused), 1, List.of())),
        false,
        Reason.WriteRefused,
        "Node n2: W refuses.");
  }
}
