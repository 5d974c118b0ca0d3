// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether all shards and relays are members of the tree. Pure. */
public final class TreeFormedCondition {
  private TreeFormedCondition() {}

  /**
   * From what was seen; empty when the operator has just begun, and does not know yet.
   *
   * @param known whether the condition was told before
   */
  public static Optional<Verdict> of(PoolObserved observed, InCharge charge, boolean known) {
    if (Tier.SHARD.replicas(observed.pool().getSpec()) == 0) {
      return Optional.of(
          Verdict.yes(
              Reason.NoShards,
              "The spec asks for no shards. The root evaluates all nodes itself."));
    }
    if (charge.view().isEmpty() && known) {
      return Optional.empty();
    }
    return Optional.of(
        charge
            .view()
            .flatMap(PoolView::tree)
            .map(tree -> of(observed, tree))
            .orElseGet(() -> unknown(charge)));
  }

  private static Verdict unknown(InCharge charge) {
    return charge
        .leader()
        .map(
            leader ->
                Verdict.unknown(
                    Reason.NotReached,
                    "Pod %s does not answer on port 10260; check that a NetworkPolicy lets the operator reach the pod."
                        .formatted(leader)))
        .orElseGet(
            () ->
                Verdict.unknown(
                    Reason.NobodyInCharge,
                    "The operator knows the tree only when a root is in charge; see Available."));
  }

  private static Verdict of(PoolObserved observed, Tree tree) {
    int shards = Tier.SHARD.replicas(observed.pool().getSpec());
    int relays = Tier.RELAY.replicas(observed.pool().getSpec());
    if (tree.shards() >= shards && tree.relays() >= relays && tree.complete()) {
      return Verdict.yes(
          Reason.AsExpected, "All shards and relays are members, and the shards know all nodes.");
    }
    String trouble =
        PodTrouble.of(observed.pods(Tier.SHARD))
            .or(() -> PodTrouble.of(observed.pods(Tier.RELAY)))
            .map(text -> " Of the members, " + text + ".")
            .orElse("");
    return Verdict.no(
        Reason.MembersMissing,
        "%d of %d shards and %d of %d relays are members, and the root decides without the missing ones.%s If this persists, some pods are not running; see 'kubectl logs' of such a pod."
            .formatted(tree.shards(), shards, tree.relays(), relays, trouble));
  }
}
