// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.dependent.RolloutStep;
import io.exaplane.operator.controlplane.hosted.ApiServerLoads;
import io.exaplane.operator.controlplane.hosted.HostedAccess;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.rollout.ComponentView;
import io.exaplane.operator.controlplane.rollout.RolloutNews;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.controlplane.rollout.RolloutPolicy;
import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.controlplane.status.StatusReporter;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.status.EventRecorder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Carries rollouts out, step by step. Thread-safe: keeps nothing. */
@ApplicationScoped
class Rolling {
  private final EventRecorder events;
  private final Clock clock;

  Rolling(EventRecorder events, Clock clock) {
    this.events = events;
    this.clock = clock;
  }

  /** Hands over to the dependents of a pass what it does about rollouts. */
  void share(Observed observed, ControlPlanePins pins, Context<ControlPlane> context) {
    RolloutStep.share(plan(observed, pins, context, clock.instant()), context);
  }

  /**
   * What a pass did about rollouts, if it might do anything: told, and looked after. An override
   * that outlived its rollout is taken away; who refuses that is among the pass's outcomes.
   */
  Optional<RolloutPlan> carriedOut(
      Observed observed,
      StatusReporter reporter,
      HostedAccess hosted,
      Context<ControlPlane> context) {
    Optional<RolloutPlan> plan = RolloutStep.shared(context);
    plan.ifPresent(
        done -> {
          ControlPlane controlPlane = observed.controlPlane().asked();
          if (told(controlPlane).isEmpty()) {
            withdrawOverride(controlPlane, done, context);
          }
          reporter.rollout(done);
          hosted.awaitSettled(observed, done.awaited());
        });
    return plan;
  }

  /** What is to be done about rollouts now. Asks for ReplicaSets while pods are replaced. */
  static RolloutPlan plan(
      Observed observed, ControlPlanePins pins, Context<ControlPlane> context, Instant now) {
    Map<String, ServerLoad> loads =
        context
            .getSecondaryResource(ApiServerLoads.class)
            .map(ApiServerLoads::loads)
            .orElse(Map.of());
    List<ComponentView> views =
        pins.rendered().entrySet().stream()
            .map(
                made ->
                    RolloutViews.of(
                        observed,
                        made.getKey(),
                        made.getValue().template(),
                        made.getValue().isBack(),
                        made.getValue().replicas(),
                        sets(observed, made.getKey(), context),
                        loads))
            .toList();
    ControlPlane controlPlane = observed.controlPlane().asked();
    return new RolloutPlan(
        policy(controlPlane), RolloutViews.stores(observed), views, told(controlPlane), now);
  }

  /** Only ReplicaSets tell which pods are of the newest template; asked for while some are. */
  private static List<ReplicaSet> sets(
      Observed observed, String component, Context<ControlPlane> context) {
    return observed
        .deployment(component)
        .filter(RolloutViews::hasNewest)
        .map(
            live ->
                context
                    .getClient()
                    .apps()
                    .replicaSets()
                    .inNamespace(live.getMetadata().getNamespace())
                    .withLabels(
                        new ControlPlaneNames(observed.controlPlane().asked()).selector(component))
                    .list()
                    .getItems())
        .orElse(List.of());
  }

  private static RolloutPolicy policy(ControlPlane controlPlane) {
    return RolloutViews.policy(controlPlane);
  }

  private static String override(ControlPlane controlPlane) {
    Map<String, String> annotations = controlPlane.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(Names.ROLLOUT_OVERRIDE);
  }

  private static Optional<RolloutStatus> told(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getStatus()).map(ControlPlaneStatus::rollout);
  }

  /**
   * Tells, by Events, what a pass that was carried out changed, and takes an override away that has
   * nothing more to open.
   */
  void tell(ControlPlane controlPlane, RolloutPlan plan, Context<ControlPlane> context) {
    RolloutNews.of(told(controlPlane), plan.status(), policy(controlPlane))
        .forEach(news -> events.tell(controlPlane, news));
    if (told(controlPlane).isPresent()) {
      withdrawOverride(controlPlane, plan, context);
    }
  }

  private static void withdrawOverride(
      ControlPlane controlPlane, RolloutPlan plan, Context<ControlPlane> context) {
    if (plan.status().isEmpty() && override(controlPlane) != null) {
      Outcomes.of(context)
          .attempt(
              () ->
                  context
                      .getClient()
                      .resource(controlPlane)
                      .patch(
                          PatchContext.of(PatchType.JSON_MERGE),
                          "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":null}}}"
                              .formatted(
                                  controlPlane.getMetadata().getUid(), Names.ROLLOUT_OVERRIDE)));
    }
  }
}
