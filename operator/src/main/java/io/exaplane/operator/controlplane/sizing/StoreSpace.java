// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.api.v1alpha1.VolumeType;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;

/**
 * How much a store may hold beside what it would hold.
 *
 * @param memory of its container, the limit; nothing where there is none, as for an etcd
 * @param bytes of versions that it takes
 * @param keptBytes of versions that the model expects
 * @param goesWithPod whether its data is gone when its pod is replaced
 */
record StoreSpace(
    String name, Optional<Quantity> memory, double bytes, double keptBytes, boolean goesWithPod) {
  /** What Kubernetes documents as etcd's suggested maximum. */
  private static final double ETCD_QUOTA = 8 * Bytes.GIB;

  /** A store of ours takes as much in whatever memory (app/Space.java). */
  private static final double LEAST = 64 * Bytes.MIB;

  static StoreSpace of(StoreTemplate store, Store expected) {
    boolean ours = store.effectiveEngine() == StoreEngine.Memory;
    Optional<Quantity> limit = ours ? limit(store) : Optional.empty();
    double bytes =
        ours
            ? Math.min(
                MemoryEngineSpec.quotaBytes(store.memory(), store.storage()).orElse(Long.MAX_VALUE),
                limit
                    .map(memory -> Store.quota(memory.getNumericalAmount().doubleValue()))
                    .orElse(Double.MAX_VALUE))
            : Math.min(ETCD_QUOTA, VolumeSpec.bytes(store.storage()).orElse(Long.MAX_VALUE));
    return new StoreSpace(
        store.name(),
        limit,
        Math.max(LEAST, bytes),
        expected.keptBytes(),
        VolumeSpec.type(store.storage()) == VolumeType.EmptyDir);
  }

  private static Optional<Quantity> limit(StoreTemplate store) {
    return store.resources() == null
        ? Optional.of(new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT))
        : Optional.ofNullable(store.resources().getLimits()).map(limits -> limits.get("memory"));
  }

  boolean isTooSmall() {
    return keptBytes > bytes;
  }

  @Override
  public String toString() {
    return "the store %s takes %s, and would keep %s: when it is full it refuses writes; the user gives it more memory, quota and volume in spec.storage, for which its pod is replaced%s"
        .formatted(
            name,
            Bytes.text(bytes),
            Bytes.text(keptBytes),
            goesWithPod ? ", and its data goes with it" : "");
  }
}
