// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.names.ControlPlaneNames;
import java.util.Map;

/**
 * A control plane as it is to be made now: with the number of nodes that counts, and with the
 * stores, routes and memory that were chosen. No ControlPlane, so that nobody takes one for the
 * other: only {@link Sized} makes one. Immutable.
 */
public final class EffectiveControlPlane {
  private final ControlPlane asked;
  private final ControlPlaneSpec spec;
  private final Map<String, MemoryEngineSpec> next;

  /**
   * One that was sized.
   *
   * @param next the quotas that stores take when their pods are replaced next, by their names
   */
  EffectiveControlPlane(
      ControlPlane asked, ControlPlaneSpec spec, Map<String, MemoryEngineSpec> next) {
    this.asked = asked;
    this.spec = spec;
    this.next = Map.copyOf(next);
  }

  /**
   * The object in the API server: its metadata and its status, and the spec as the user wrote it,
   * which may say nothing of stores, and of nodes what is to count later.
   */
  public ControlPlane asked() {
    return asked;
  }

  /** What is to be made. */
  public ControlPlaneSpec spec() {
    return spec;
  }

  /** A store as its next pod is made: with the quotas for which no pod is replaced alone. */
  public StoreTemplate withNextQuotas(StoreTemplate store) {
    MemoryEngineSpec quotas = next.get(store.name());
    return quotas == null ? store : StoreRoom.with(store, quotas.quota(), quotas.loadQuota());
  }

  public String name() {
    return asked.getMetadata().getName();
  }

  public String namespace() {
    return asked.getMetadata().getNamespace();
  }

  public ControlPlaneNames names() {
    return new ControlPlaneNames(asked);
  }
}
