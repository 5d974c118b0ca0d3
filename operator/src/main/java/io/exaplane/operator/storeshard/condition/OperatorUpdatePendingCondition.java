// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Verdict;

/** Whether this operator would make another pod than the one that runs. Pure. */
public final class OperatorUpdatePendingCondition {
  private OperatorUpdatePendingCondition() {}

  /** From what was rendered. */
  public static Verdict of(StoreShard shard, Update update) {
    Verdict verdict = update.verdict();
    boolean ofControlPlane = StoreNames.controlPlaneUid(shard).isPresent();
    return ofControlPlane && verdict.met() && verdict.reason() != Reason.RollingOut
        ? Verdict.yes(
            verdict.reason(),
            "%s The ControlPlane's condition OperatorUpdatePending names its next maintenance window, if spec.maintenance is set there."
                .formatted(
                    verdict
                        .message()
                        .replace(
                            "set spec.rollout.bundle to",
                            "set spec.rollout.bundle of the ControlPlane to")))
        : verdict;
  }
}
