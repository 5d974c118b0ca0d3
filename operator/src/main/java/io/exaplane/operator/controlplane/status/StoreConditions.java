// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static io.exaplane.api.v1alpha1.ConditionType.StoreDataAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.StoresReady;
import static io.exaplane.api.v1alpha1.ConditionType.StoresUpToDate;
import static io.exaplane.operator.status.Patience.NO_ACTION;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/** Sets the conditions that speak of a control plane's stores. */
final class StoreConditions {
  private final ConditionSet conditions;
  private final Observed observed;
  private final List<Store> stores;

  StoreConditions(ConditionSet conditions, Observed observed, List<Store> stores) {
    this.conditions = conditions;
    this.observed = observed;
    this.stores = stores;
  }

  void report() {
    storesReady();
    storeData();
    storesUpToDate();
  }

  private void storesReady() {
    List<String> missing =
        stores.stream().filter(store -> !store.ready()).map(Store::shard).toList();
    if (missing.isEmpty()) {
      conditions.set(StoresReady, true, Reason.AsExpected, "Every store serves.");
      return;
    }
    String why =
        observed.shards().stream()
            .filter(shard -> missing.contains(shard.getMetadata().getName()))
            .map(shard -> ShardStates.condition(shard, StoreCondition.Ready))
            .flatMap(Optional::stream)
            .map(Condition::message)
            .findFirst()
            .orElse("The operator is creating the store." + NO_ACTION);
    boolean wasReady = conditions.wasMet(StoresReady, Reason.StoreUnavailable);
    conditions.set(
        StoresReady,
        false,
        wasReady ? Reason.StoreUnavailable : Reason.Starting,
        "%s: %s".formatted(String.join(", ", missing), why));
  }

  private void storeData() {
    StoreDataVerdict verdict =
        StoreDataVerdict.of(
            observed.controlPlane().asked(), observed.shards(), observed.isStartingAnew());
    conditions.set(StoreDataAvailable, verdict.met(), verdict.reason(), verdict.message());
  }

  private void storesUpToDate() {
    List<String> old =
        observed.shards().stream()
            .filter(
                shard ->
                    ShardStates.condition(shard, StoreCondition.UpToDate)
                        .filter(condition -> condition.status().equals(Condition.FALSE))
                        .isPresent())
            .map(shard -> shard.getMetadata().getName())
            .toList();
    conditions.set(
        StoresUpToDate,
        old.isEmpty(),
        old.isEmpty() ? Reason.AsExpected : Reason.OperatorUpdatePending,
        old.isEmpty()
            ? "Every store runs this operator's image."
            : "%s: the image is older than this operator's. To replace the pods of the stores one after another, set spec.storage.restartedAt to the current time. The data remains; each store takes no writes for some seconds."
                .formatted(String.join(", ", old)));
  }
}
