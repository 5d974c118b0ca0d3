// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.data.LossText;
import java.util.Optional;

/** Whether a store holds everything that was written to it. Pure. */
public final class DataIntactCondition {
  private DataIntactCondition() {}

  /**
   * From what was seen.
   *
   * @param loss the data that the store does not find
   * @param losses how often the store began with nothing though it had something
   */
  public static Verdict of(StoreShard shard, Optional<StoreDataLoss> loss, int losses) {
    if (loss.isPresent()) {
      return Verdict.no(Reason.StoreDataLost, LossText.whereItIsAccepted(shard, loss.get()));
    }
    return losses == 0
        ? Verdict.yes(
            Reason.AsExpected,
            "The store holds everything that was written to it, except keys that it keeps in memory only.")
        : Verdict.no(
            Reason.StoreDataLost,
            "The store lost its data and started empty %d time(s). To keep data, use a PersistentVolume and another durability than Memory."
                .formatted(losses));
  }
}
