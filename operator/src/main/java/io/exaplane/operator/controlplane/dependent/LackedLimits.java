// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Set;

/** Pods of an earlier operator that a quota refuses for the want of limits. Pure. */
final class LackedLimits {
  private static final Set<String> AMOUNTS = Set.of("cpu", "memory");

  private LackedLimits() {}

  /** Whether none of the Deployment's pods can be made. */
  static boolean of(Deployment deployment) {
    return Rollout.refusal(deployment).isPresent()
        && deployment.getSpec().getTemplate().getSpec().getContainers().stream()
            .map(container -> container.getResources().getLimits())
            .anyMatch(limits -> limits == null || !limits.keySet().containsAll(AMOUNTS));
  }
}
