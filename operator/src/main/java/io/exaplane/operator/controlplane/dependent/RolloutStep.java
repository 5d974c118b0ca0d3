// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.rollout.Hold;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;

/** What rollouts make of a Deployment in one pass. Pure, but for the hand-over. */
public final class RolloutStep {
  private static final String KEY = RolloutPlan.class.getName();

  private RolloutStep() {}

  /** Hands a plan over to the dependents of the same pass. */
  public static void share(RolloutPlan plan, Context<ControlPlane> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, plan);
  }

  /** What was handed over; nothing while nothing may be changed. */
  public static Optional<RolloutPlan> shared(Context<ControlPlane> context) {
    return context.managedWorkflowAndDependentResourceContext().get(KEY, RolloutPlan.class);
  }

  /**
   * A Deployment that replaces pods as far as it may. False is left out, as the server does, unless
   * it is to replace the true of somebody else.
   */
  static Deployment of(Deployment made, RolloutPlan.Applied applied) {
    Boolean goesOn = applied.goesOn() ? false : null;
    Deployment paced =
        new DeploymentBuilder(made)
            .editMetadata()
            .addToAnnotations(RolloutViews.TEMPLATE, applied.template())
            .endMetadata()
            .editSpec()
            .withReplicas(applied.replicas())
            .withPaused(applied.hold().paused() ? Boolean.TRUE : goesOn)
            .endSpec()
            .build();
    return applied.hold().counts() ? held(paced, applied.hold()) : paced;
  }

  /** No new pod is ever available to it, and it never gives up: the operator counts both. */
  private static Deployment held(Deployment made, Hold hold) {
    return new DeploymentBuilder(made)
        .editSpec()
        .withMinReadySeconds(Rollout.NEVER_SECONDS)
        .withProgressDeadlineSeconds(2 * Rollout.NEVER_SECONDS)
        .editStrategy()
        .editRollingUpdate()
        .withMaxSurge(new IntOrString(hold.surge()))
        .withMaxUnavailable(new IntOrString(hold.allowed()))
        .endRollingUpdate()
        .endStrategy()
        .endSpec()
        .build();
  }
}
