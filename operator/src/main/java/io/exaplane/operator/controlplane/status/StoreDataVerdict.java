// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.storeshard.data.LossText;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/**
 * Whether every store has the data that it had, as the condition StoreDataAvailable says it. Pure.
 *
 * @param met whether they have
 * @param reason in a word
 * @param message for people
 */
record StoreDataVerdict(boolean met, Reason reason, String message) {

  /**
   * From what was seen.
   *
   * @param shards the StoreShards of the control plane
   * @param startingAnew whether a store began with other data, and not every component runs on it
   */
  static StoreDataVerdict of(
      ControlPlane controlPlane, List<StoreShard> shards, boolean startingAnew) {
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
      return new StoreDataVerdict(false, Reason.StoreDataLost, String.join(" ", lost));
    }
    if (startingAnew) {
      return new StoreDataVerdict(
          false,
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
                new StoreDataVerdict(
                    true,
                    Reason.DataGoesWithPod,
                    "Every store has its data. The data of %s is on an EmptyDir and is lost with the pod. Take snapshots, and create a new ControlPlane with PersistentVolumes to keep the data."
                        .formatted(names)))
        .orElseGet(
            () -> new StoreDataVerdict(true, Reason.AsExpected, "Every store has its data."));
  }

  /** The first loss that keeps a store from serving. */
  static Optional<StoreShard> held(List<StoreShard> shards) {
    return shards.stream()
        .filter(shard -> shard.getStatus() != null && shard.getStatus().dataLoss() != null)
        .findFirst();
  }
}
