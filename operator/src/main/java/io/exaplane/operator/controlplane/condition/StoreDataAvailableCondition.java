// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.data.LossText;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/** Whether every store has the data that it had. Pure. */
public final class StoreDataAvailableCondition {
  private StoreDataAvailableCondition() {}

  /** From what was seen. */
  public static Verdict of(Observed observed) {
    return of(observed.controlPlane().asked(), observed.shards(), observed.isStartingAnew());
  }

  /**
   * From what was seen.
   *
   * @param shards the StoreShards of the control plane
   * @param startingAnew whether a store began with other data, and not every component runs on it
   */
  static Verdict of(ControlPlane controlPlane, List<StoreShard> shards, boolean startingAnew) {
    List<String> lost =
        shards.stream()
            .filter(shard -> shard.getStatus() != null && shard.getStatus().dataLoss() != null)
            .map(
                shard ->
                    LossText.of(
                        shard,
                        shard.getStatus().dataLoss(),
                        "controlplane " + controlPlane.getMetadata().getName()))
            .toList();
    if (!lost.isEmpty()) {
      return Verdict.no(Reason.StoreDataLost, String.join(" ", lost));
    }
    if (startingAnew) {
      return Verdict.no(
          Reason.StoreDataLost,
          "A store started with other data, since the loss was accepted or "
              + "spec.storage.onDataLoss allows it. All components are restarting."
              + Patience.NO_ACTION);
    }
    return shards.stream()
        .filter(ShardStates::losesDataWithPod)
        .map(shard -> shard.getMetadata().getName())
        .reduce((one, more) -> one + ", " + more)
        .map(
            names ->
                Verdict.yes(
                    Reason.DataGoesWithPod,
                    "Every store has its data. The data of %s is on an EmptyDir and is lost with the pod. Take snapshots, and create a new ControlPlane with PersistentVolumes to keep the data."
                        .formatted(names)))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "Every store has its data."));
  }

  /** The first loss that keeps a store from serving. */
  public static Optional<StoreShard> held(List<StoreShard> shards) {
    return shards.stream()
        .filter(shard -> shard.getStatus() != null && shard.getStatus().dataLoss() != null)
        .findFirst();
  }
}
