// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;

/** Whether a store can write its journal. Pure. */
public final class WalHealthyCondition {
  private WalHealthyCondition() {}

  /**
   * Of a store that tells nothing of itself.
   *
   * @param serves whether the store serves all the same
   */
  public static Verdict unknown(boolean serves) {
    return StoreSilence.of(serves);
  }

  /** From what the store says of itself. */
  public static Verdict of(StoreShard shard, boolean stalled) {
    return stalled
        ? Verdict.no(Reason.JournalStalled, stalled(shard))
        : Verdict.yes(Reason.AsExpected, "The store can write its journal.");
  }

  /** For people, with the next action. */
  static String stalled(StoreShard shard) {
    return "The store cannot write its journal and refuses writes. Make room on the volume or enlarge it; see 'kubectl -n %s logs %s-0 -c store'."
        .formatted(shard.getMetadata().getNamespace(), shard.getMetadata().getName());
  }
}
