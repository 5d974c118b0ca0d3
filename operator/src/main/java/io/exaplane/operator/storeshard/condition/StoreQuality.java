// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** What is to be said of how a node treats a store's pod. Pure. */
final class StoreQuality {
  private static final String GUARANTEED = "Guaranteed";

  private StoreQuality() {}

  /** Of a Critical store that a node would end before others; it is not refused. */
  static Optional<String> remark(StoreShard shard, Pod pod) {
    String quality = pod.getStatus() == null ? null : pod.getStatus().getQosClass();
    if (quality == null
        || quality.equals(GUARANTEED)
        || shard.getSpec().criticality() == Criticality.BestEffort) {
      return Optional.empty();
    }
    String field =
        StoreNames.controlPlaneUid(shard).isPresent()
            ? "spec.storage.stores[].resources of the ControlPlane"
            : "spec.resources";
    return Optional.of(
        "Pod %s is %s, so a node that runs short of memory may end this pod before others. To make the pod Guaranteed, set equal requests and limits of cpu and memory in %s%s."
            .formatted(
                pod.getMetadata().getName(),
                quality,
                field,
                StoreNames.dataGoesWithPod(shard)
                    ? "; the pod gets them only when you delete the pod with its data"
                    : "; the pod is replaced once"));
  }
}
