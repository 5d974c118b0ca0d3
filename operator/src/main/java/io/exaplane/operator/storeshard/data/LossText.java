// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.data;

import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.status.Patience;
import java.util.Map;

/** Says for people what a store lost, and what the ways out are. Pure. */
public final class LossText {
  private LossText() {}

  /** What is told, with the command for the object that owns the store, if one does. */
  public static String whereItIsAccepted(StoreShard shard, StoreDataLoss loss) {
    Map<String, String> labels = shard.getMetadata().getLabels();
    String controlPlane = labels == null ? null : labels.get(ControlPlaneNames.CONTROL_PLANE_LABEL);
    return of(
        shard,
        loss,
        controlPlane == null
            ? "storeshard " + shard.getMetadata().getName()
            : "controlplane " + controlPlane);
  }

  /**
   * For a condition.
   *
   * @param owner what the annotation goes on, as {@code cpl demo}
   */
  public static String of(StoreShard shard, StoreDataLoss loss, String owner) {
    String name = shard.getMetadata().getName();
    if (loss.wasAccepted()) {
      return "The loss %s of store %s was accepted. The store starts with the data that it has."
              .formatted(loss.incident(), name)
          + Patience.NO_ACTION;
    }
    return ("Since %s store %s finds %s instead of its data%s. The store does not serve, no"
            + " kube-apiserver starts on the store, and running ones keep their caches. Choose"
            + " one way out. Bring back the volume, and delete pod %s-0. Or restore a snapshot"
            + " into the volume, and accept the loss. Or accept the loss of every object, and"
            + " start empty. To accept: kubectl -n %s annotate --overwrite %s %s=%s")
        .formatted(
            loss.since(),
            name,
            loss.found(),
            loss.lastRevision() == null
                ? ""
                : " (the last known revision is %d)".formatted(loss.lastRevision()),
            name,
            shard.getMetadata().getNamespace(),
            owner,
            DataRecord.ACCEPT_ANNOTATION,
            loss.incident());
  }
}
