// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.observe.PoolObserver;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether a root of the pool schedules pods. Pure. */
public final class AvailableCondition {
  /** The reasons of a pool that scheduled before. */
  public static final Reason[] LOSSES = {
    Reason.NobodyInCharge, Reason.FallbackInCharge, Reason.NotInStep
  };

  private AvailableCondition() {}

  /**
   * From what was seen; empty when the operator has just begun, and does not know yet.
   *
   * @param known whether the condition was told before
   * @param wasMet whether the pool scheduled before
   */
  public static Optional<Verdict> of(
      PoolObserved observed, InCharge charge, boolean known, boolean wasMet) {
    Optional<String> leader = charge.leader();
    if (leader.isPresent()) {
      return Optional.of(ofLeader(observed, leader.get(), wasMet));
    }
    if (observed.missing().isPresent()) {
      PoolTarget.Missing missing = observed.missing().get();
      return Optional.of(Verdict.no(missing.reason(), missing.message()));
    }
    if (charge.view().isEmpty() && known) {
      return Optional.empty();
    }
    return Optional.of(
        charge.isKnown()
            ? notInCharge(observed, charge, wasMet)
            : Verdict.unknown(
                Reason.NotReached,
                "The cluster's API does not report the pod in charge: %s. The operator keeps asking. If this persists, check that the operator can reach the API."
                    .formatted(
                        charge
                            .view()
                            .map(PoolView::problem)
                            .orElse("the operator has not asked yet"))));
  }

  private static Verdict ofLeader(PoolObserved observed, String leader, boolean wasMet) {
    boolean ready =
        observed.pods(Tier.ROOT).stream()
            .filter(root -> root.getMetadata().getName().equals(leader))
            .anyMatch(root -> PoolObserver.readySince(root).isPresent());
    return ready
        ? Verdict.yes(
            Reason.AsExpected,
            "Pod %s is in charge of the pods with schedulerName %s."
                .formatted(leader, observed.pool().getSpec().effectiveSchedulerName()))
        : Verdict.no(
            wasMet ? Reason.NotInStep : Reason.Creating,
            "Pod %s is in charge and is reading the cluster; pods stay pending until then. If this persists, check 'kubectl logs %s'."
                .formatted(leader, leader));
  }

  private static Verdict notInCharge(PoolObserved observed, InCharge charge, boolean wasMet) {
    String trouble =
        PodTrouble.of(observed.pods(Tier.ROOT))
            .map(text -> " Of the roots, " + text + ".")
            .orElse("");
    if (charge.standIn()) {
      return Verdict.no(
          Reason.FallbackInCharge,
          "A kube-scheduler (%s) stands in until a root of the pool is ready. If this persists, check the pods of the roots.%s"
              .formatted(charge.holder().get(), trouble));
    }
    if (charge.holder().isPresent()) {
      return Verdict.no(
          Reason.AnotherInCharge,
          "%s holds the Lease kube-system/%s, and the pool waits for the Lease; %s.%s"
              .formatted(
                  charge.holder().get(),
                  observed.pool().getSpec().leaseName(),
                  handover(observed),
                  trouble));
    }
    return Verdict.no(
        wasMet ? Reason.NobodyInCharge : Reason.Creating,
        "No root of the pool is in charge yet, and pods stay pending.%s%s"
            .formatted(trouble, trouble.isEmpty() ? Patience.NO_ACTION : ""));
  }

  private static String handover(PoolObserved observed) {
    return observed.target().flatMap(PoolTarget::controlPlane).isPresent()
        ? "set spec.scheduling of the ControlPlane to {mode: Pool, poolRef: {name: %s}}, or stop the process that holds the Lease"
            .formatted(observed.pool().getMetadata().getName())
        : "stop that scheduler";
  }
}
