// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;

/** Whether a store can write its journal. Pure. */
public final class WalHealthyCondition {
  private WalHealthyCondition() {}

  /** From what the store says of itself. */
  public static Verdict of(StoreShard shard, boolean stalled) {
    return stalled
        ? Verdict.no(
            Reason.JournalStalled,
            "The store cannot write its journal and refuses writes; make room on the volume, and see 'kubectl logs %s-0'."
                .formatted(shard.getMetadata().getName()))
        : Verdict.yes(Reason.AsExpected, "The store can write its journal.");
  }
}
