// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
import java.util.Optional;

/** Whether objects were written to a store: routes that lead nowhere are seen by it. Pure. */
public final class TrafficObservedCondition {
  private TrafficObservedCondition() {}

  /**
   * Of a store that tells nothing of itself.
   *
   * @param serves whether the store serves all the same
   */
  public static Verdict unknown(boolean serves) {
    return StoreSilence.of(serves);
  }

  /**
   * From what the store says of itself; empty when what was told before counts.
   *
   * @param known whether the condition was told before
   * @param wasMet whether objects were written before
   */
  public static Optional<Verdict> of(Traffic traffic, boolean known, boolean wasMet) {
    return switch (traffic) {
      case AWAITED ->
          known
              ? Optional.empty()
              : Optional.of(
                  Verdict.unknown(
                      Reason.Starting,
                      "No write was seen yet. This is normal during the first 10 minutes."));
      case OBSERVED -> Optional.of(Verdict.yes(Reason.AsExpected, "Objects were written."));
      case NONE ->
          wasMet
              ? Optional.empty()
              : Optional.of(
                  Verdict.no(
                      Reason.NoTraffic,
                      "No object was written for at least 10 minutes. If you expect objects, check"
                          + " the Kinds in spec.storage.routes."));
    };
  }
}
