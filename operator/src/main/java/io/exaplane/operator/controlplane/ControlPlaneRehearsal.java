// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.certificate.CertificateStep;
import io.exaplane.operator.controlplane.check.ConfigurationCheck;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.dependent.Renderings;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.observe.ComponentRestarts;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Observer;
import io.exaplane.operator.controlplane.observe.Sighting;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.status.LifecycleStatus;
import io.exaplane.operator.controlplane.status.StatusReporter;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.standby.Comparison;
import io.exaplane.operator.standby.Rehearsal;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A pass of the {@link ControlPlaneReconciler} without everything that asks or writes: check,
 * model, look, certificates as they are, pins, rollout, objects, status. Only a pass knows the
 * management cluster's nodes, and objects that a backup tool put back; here there are none of both.
 * Thread-safe: keeps nothing.
 */
@Singleton
class ControlPlaneRehearsal implements Rehearsal<ControlPlane> {
  private final Sizer sizer;
  private final Observer observer;
  private final CertificateStep certificates;
  private final Pinner pinner;
  private final Clock clock;

  ControlPlaneRehearsal(
      OperatorConfig config,
      OperatorBundle bundle,
      Observer observer,
      CertificateStep certificates,
      Clock clock) {
    this.sizer = new Sizer(List::of, clock);
    this.observer = observer;
    this.certificates = certificates;
    this.pinner = new Pinner(config, bundle, sizer, clock);
    this.clock = clock;
  }

  @Override
  public String controller() {
    return ControlPlaneReconciler.NAME;
  }

  /** Key pairs that were found to belong together are remembered, until a Secret changes. */
  @Override
  public String state(ControlPlane controlPlane, Context<ControlPlane> context) {
    return context
        .getSecondaryResourcesAsStream(Secret.class)
        .map(secret -> secret.getMetadata().getResourceVersion())
        .sorted()
        .collect(Collectors.joining(","));
  }

  @Override
  public void of(ControlPlane controlPlane, Context<ControlPlane> context) {
    Rehearsed rehearsed = rehearse(controlPlane, context);
    Comparison.of(rehearsed.objects(), context);
  }

  /**
   * What a pass would write, if it had no answers of APIs.
   *
   * @param objects none while a broken rule holds them back
   */
  record Rehearsed(ControlPlaneStatus status, List<HasMetadata> objects) {}

  Rehearsed rehearse(ControlPlane controlPlane, Context<ControlPlane> context) {
    if (controlPlane.getStatus() == null) {
      return new Rehearsed(LifecycleStatus.accepted(controlPlane, clock).status(), List.of());
    }
    Model model = new Model();
    Optional<Problem> broken =
        ConfigurationCheck.check(
            controlPlane,
            model,
            context.getSecondaryResources(StoreShard.class),
            context.getSecondaryResources(ControlPlaneTask.class));
    boolean hold = broken.isPresent();
    Sized sized = sizer.size(controlPlane, !hold, hold, model, context);
    Sighting seen = observer.look(sized, context, List::of);
    Observed observed = observer.complete(seen, certificates.bringUpToDate(seen, true, context));
    Instant now = clock.instant();
    StatusReporter reporter =
        new StatusReporter(
            observed,
            context.getSecondaryResource(EndpointProbe.Result.class),
            Optional.empty(),
            clock);
    reporter.restarts(ComponentRestarts.plan(observed, !hold, now));
    List<HasMetadata> objects = List.of();
    if (!hold) {
      ControlPlanePins pins = pinner.pin(observed, false, _ -> null, context);
      RolloutPlan plan = Rolling.plan(observed, pins, context, now);
      objects = Renderings.of(observed, pins, plan);
      reporter.update(pins.update(), Optional.of(pins.bundle()));
      reporter.rollout(plan);
    }
    return new Rehearsed(reporter.status(broken, false), objects);
  }
}
