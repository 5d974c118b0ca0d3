// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Set;
import java.util.function.Supplier;

/** The looks at who leads, through a client of a test's. */
public final class LeaderLooks {
  private final LeaderProbe probe;

  public LeaderLooks(Clock clock) {
    probe = new LeaderProbe(null, clock);
  }

  /** Looks once. */
  public Set<Leaders> look(ControlPlane controlPlane, Supplier<KubernetesClient> way) {
    return probe.look(controlPlane, way);
  }

  public void forget(ControlPlane controlPlane) {
    probe.forget(controlPlane);
  }
}
