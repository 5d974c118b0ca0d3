// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
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

  /** A Deployment that replaces pods as far as it may. False is left out, as the server does. */
  static Deployment of(Deployment made, RolloutPlan.Applied applied) {
    return new DeploymentBuilder(made)
        .editMetadata()
        .addToAnnotations(RolloutViews.TEMPLATE, applied.template())
        .endMetadata()
        .editSpec()
        .withReplicas(applied.replicas())
        .withPaused(applied.paused() ? true : null)
        .endSpec()
        .build();
  }
}
