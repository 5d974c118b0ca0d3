// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/** Whether every store serves. Pure. */
public final class StoresReadyCondition {
  private StoresReadyCondition() {}

  /**
   * From what was seen.
   *
   * @param wasMet whether they served before
   */
  public static Verdict of(Observed observed, List<Store> stores, boolean wasMet) {
    List<String> missing =
        stores.stream().filter(store -> !store.ready()).map(Store::shard).toList();
    if (missing.isEmpty()) {
      return Verdict.yes(Reason.AsExpected, "Every store serves.");
    }
    String why =
        observed.shards().stream()
            .filter(shard -> missing.contains(shard.getMetadata().getName()))
            .map(shard -> ShardStates.condition(shard, StoreCondition.Ready))
            .flatMap(Optional::stream)
            .map(Condition::message)
            .findFirst()
            .orElse("The operator is creating the store." + Patience.NO_ACTION);
    return Verdict.no(
        wasMet ? Reason.StoreUnavailable : Reason.Starting,
        "%s: %s".formatted(String.join(", ", missing), why));
  }
}
