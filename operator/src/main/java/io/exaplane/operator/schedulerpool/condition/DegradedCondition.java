// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.render.SetRollout;
import io.exaplane.operator.status.Verdict;
import java.util.ArrayList;
import java.util.List;

/** What of a pool works less well than it should. Pure. */
public final class DegradedCondition {
  private DegradedCondition() {}

  /**
   * From what was seen.
   *
   * @param lacksMembers whether shards or relays are not in the tree
   * @param available whether a root is in charge
   */
  public static Verdict of(PoolObserved observed, boolean lacksMembers, boolean available) {
    SchedulerPool pool = observed.pool();
    List<String> findings = new ArrayList<>();
    Reason reason = Reason.PartlyAvailable;
    if (observed.fallback().isPresent()) {
      reason = Reason.FallbackInCharge;
      findings.add("a kube-scheduler stands in");
    }
    for (Tier tier : Tier.values()) {
      observed
          .set(tier)
          .filter(set -> SetRollout.ready(set) < tier.replicas(pool.getSpec()))
          .ifPresent(
              set ->
                  findings.add(
                      "%s has %d of %d pods ready"
                          .formatted(
                              new PoolNames(pool).of(tier),
                              SetRollout.ready(set),
                              tier.replicas(pool.getSpec()))));
    }
    if (lacksMembers) {
      findings.add("not all members are in the tree");
    }
    return findings.isEmpty()
        ? Verdict.no(
            Reason.AsExpected,
            available
                ? "Everything works."
                : "The pool places no pods. See Available for the next action.")
        : Verdict.yes(
            reason,
            String.join("; ", findings)
                + ". Kubernetes and the operator are restarting what they can. If this persists for"
                + " 5 minutes, check the objects named above.");
  }
}
