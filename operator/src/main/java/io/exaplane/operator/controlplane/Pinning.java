// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.fleet.RolloutQueue;
import io.exaplane.operator.controlplane.fleet.Turn;
import io.exaplane.operator.controlplane.fleet.Wish;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.dependent.Restored;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;

/**
 * Pins the pods of control planes to their bundles, and lets them change in turn. Thread-safe:
 * keeps nothing.
 */
@ApplicationScoped
class Pinning {
  private final OperatorConfig config;
  private final OperatorBundle bundle;
  private final Sizer sizer;
  private final Clock clock;
  private final RolloutQueue queue;

  Pinning(
      OperatorConfig config, OperatorBundle bundle, Sizer sizer, RolloutQueue queue, Clock clock) {
    this.queue = queue;
    this.clock = clock;
    this.config = config;
    this.bundle = bundle;
    this.sizer = sizer;
  }

  /** What was kept of a control plane, before a pass renders anything. */
  Pins pins(ControlPlane controlPlane, Context<ControlPlane> context) {
    return ControlPlanePins.open(controlPlane, bundle.name(), clock.instant(), context);
  }

  /**
   * What a pass applies of its pods. The place in the queue is handed over to the rest of the pass.
   */
  ControlPlanePins pin(Observed observed, Context<ControlPlane> context) {
    ControlPlanePins wanted = pin(observed, false, context);
    Turn turn =
        queue.next(
            observed.controlPlane().asked(),
            Wish.of(observed, wanted.replacesPods()),
            () -> all(context));
    turn.share(context);
    return wanted.replacesPods() && !turn.mayReplace() ? pin(observed, true, context) : wanted;
  }

  private ControlPlanePins pin(Observed observed, boolean waits, Context<ControlPlane> context) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    Pins pins = pins(controlPlane, context);
    return new ControlPlanePins(
        pins,
        observed,
        () ->
            pins.formerSpec(ControlPlaneSpec.class)
                .map(spec -> former(controlPlane, spec, observed, context)),
        Restored.asking(context.getClient()),
        waits);
  }

  /** Nothing of one may be changed now: its place in the queue. */
  RolloutTurn held(ControlPlane controlPlane) {
    return queue.held(controlPlane);
  }

  /** One is removed. */
  void forget(ControlPlane controlPlane, Context<ControlPlane> context) {
    queue.forget(controlPlane, () -> all(context));
  }

  /** Brings back those whose turn has come. */
  EventSource<?, ControlPlane> calls() {
    return queue.calls();
  }

  private static List<ControlPlane> all(Context<ControlPlane> context) {
    return context.getPrimaryCache().list().toList();
  }

  /** What this operator would make for the wishes of before, on what is there now. */
  private ControlPlanePins.Former former(
      ControlPlane controlPlane,
      ControlPlaneSpec spec,
      Observed observed,
      Context<ControlPlane> context) {
    ControlPlane before = new ControlPlane();
    before.setMetadata(controlPlane.getMetadata());
    before.setStatus(controlPlane.getStatus());
    before.setSpec(spec);
    Sized sized = sizer.size(before, true, false, new Model(), context);
    return new ControlPlanePins.Former(
        sized.controlPlane(),
        observed
            .completeInputs()
            .filter(_ -> sized.template().isPresent() && sized.apiServer().isPresent())
            .map(now -> now.of(sized, new Images(config, spec.images()))));
  }
}
