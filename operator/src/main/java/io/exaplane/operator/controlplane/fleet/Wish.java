// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.rollout.RolloutPolicy;
import io.exaplane.operator.controlplane.rollout.Told;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Objects;

/**
 * What a control plane asks of the queue, as one pass sees it. Immutable.
 *
 * @param created whether all components ran once: the first creation is no rollout
 * @param replacesPods whether pods that are there are to be replaced
 * @param serves whether a kube-apiserver is ready
 * @param complete whether all pods are there, of the newest template
 * @param stuck whether pods did not become ready within their Deployment's deadline, or did not
 *     settle within that of the rollout
 * @param rolls whether pods of an older template are there, whoever began that. One that replaces
 *     pods because certificates expire does so all the time, and does not count
 * @param resumes whether a person lets a rollout go on that had stopped
 */
public record Wish(
    boolean created,
    boolean replacesPods,
    boolean serves,
    boolean complete,
    boolean stuck,
    boolean rolls,
    boolean resumes) {
  /** From what was observed. */
  public static Wish of(Observed observed, boolean replacesPods) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    ControlPlaneStatus status = controlPlane.getStatus();
    Told told = Told.of(status == null ? null : status.rollout());
    RolloutPolicy policy = RolloutViews.policy(controlPlane);
    boolean resumes = policy.resumes(told);
    return new Wish(
        status != null && status.version() != null && status.version().current() != null,
        replacesPods,
        observed.deployment(ControlPlaneNames.API_SERVER).map(Rollout::ready).orElse(0) > 0,
        observed.deployments().stream().allMatch(Rollout::isComplete)
            && observed.shards().stream().allMatch(Wish::isComplete),
        observed.deployments().stream().anyMatch(Rollout::isStuck)
            || told.stalled().findFirst().isPresent() && !resumes,
        !policy.hurried() && observed.deployments().stream().anyMatch(Wish::hasOldPods),
        resumes);
  }

  private static boolean hasOldPods(Deployment deployment) {
    return Rollout.replicas(deployment) > Rollout.updated(deployment);
  }

  private static boolean isComplete(StoreShard shard) {
    return ShardStates.isReady(shard)
        && Objects.equals(
            shard.getStatus().observedGeneration(), shard.getMetadata().getGeneration());
  }

  /** Whether nothing is left to do. */
  boolean isSettled() {
    return complete && !replacesPods;
  }
}
