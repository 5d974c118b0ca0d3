// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.render.PoolSets;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether a pool runs this operator's image of the scheduler. Pure. */
public final class UpToDateCondition {
  private UpToDateCondition() {}

  /**
   * From what was seen; empty when there are no pods yet.
   *
   * @param newest the image that new pods would run
   */
  public static Optional<Verdict> of(PoolObserved observed, String newest) {
    return observed.set(Tier.ROOT).flatMap(PoolSets::image).map(image -> of(image, newest));
  }

  private static Verdict of(String image, String newest) {
    return image.equals(newest)
        ? Verdict.yes(Reason.AsExpected, "Pods run this operator's image of the scheduler.")
        : Verdict.no(
            Reason.OperatorUpdatePending,
            "Pods run %s, but this operator has %s. To replace the pods, set spec.rollout.bundle to the bundle that OperatorUpdatePending names."
                .formatted(image, newest));
  }
}
