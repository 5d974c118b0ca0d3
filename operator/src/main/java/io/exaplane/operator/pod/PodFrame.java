// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import java.util.List;
import java.util.Map;

/**
 * What every pod has around its containers: no token of the management cluster, no variables of its
 * Services, the restricted level of security. Pure.
 */
public final class PodFrame {
  private PodFrame() {}

  /**
   * A pod without containers and volumes.
   *
   * @param pullSecrets names of Secrets with which images are pulled
   * @param graceSeconds how long the pod may take to end
   */
  public static PodSpecBuilder of(List<LocalObjectReference> pullSecrets, long graceSeconds) {
    return new PodSpecBuilder()
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withTerminationGracePeriodSeconds(graceSeconds)
        .withImagePullSecrets(pullSecrets)
        .withSecurityContext(PodSecurity.pod());
  }

  /** Pods with these labels come to as many nodes as there are, without waiting for more. */
  public static TopologySpreadConstraint spread(Map<String, String> selector) {
    return new TopologySpreadConstraintBuilder()
        .withMaxSkew(1)
        .withTopologyKey("kubernetes.io/hostname")
        .withWhenUnsatisfiable("ScheduleAnyway")
        .withNewLabelSelector()
        .withMatchLabels(selector)
        .endLabelSelector()
        .build();
  }
}
