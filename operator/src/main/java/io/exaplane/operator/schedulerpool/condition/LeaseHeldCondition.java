// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether anybody has the Lease by which schedulers take turns. Pure. */
public final class LeaseHeldCondition {
  private LeaseHeldCondition() {}

  /**
   * From what was seen; empty when the operator has just begun, and does not know yet.
   *
   * @param known whether the condition was told before
   */
  public static Optional<Verdict> of(PoolObserved observed, InCharge charge, boolean known) {
    if (charge.view().isEmpty() && known) {
      return Optional.empty();
    }
    if (!charge.isKnown()) {
      return Optional.of(
          Verdict.unknown(
              Reason.NotReached,
              "The cluster's API does not report the pod in charge; see Available."));
    }
    String lease = observed.pool().getSpec().leaseName();
    return Optional.of(
        charge
            .holder()
            .map(
                holder ->
                    Verdict.yes(
                        reason(charge),
                        "%s holds the Lease kube-system/%s.".formatted(holder, lease)))
            .orElseGet(
                () ->
                    Verdict.no(
                        Reason.NobodyInCharge,
                        "No process holds the Lease kube-system/%s, and pods stay pending; see Available."
                            .formatted(lease))));
  }

  private static Reason reason(InCharge charge) {
    if (charge.leader().isPresent()) {
      return Reason.PoolInCharge;
    }
    return charge.standIn() ? Reason.FallbackInCharge : Reason.AnotherInCharge;
  }
}
