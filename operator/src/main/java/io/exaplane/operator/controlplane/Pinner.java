// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Clock;
import java.util.function.UnaryOperator;

/** What is applied of a control plane's pods, by their bundle. Thread-safe: keeps nothing. */
final class Pinner {
  private final OperatorConfig config;
  private final OperatorBundle bundle;
  private final Sizer sizer;
  private final Clock clock;

  Pinner(OperatorConfig config, OperatorBundle bundle, Sizer sizer, Clock clock) {
    this.config = config;
    this.bundle = bundle;
    this.sizer = sizer;
    this.clock = clock;
  }

  /** What was kept of a control plane, before a pass renders anything. */
  Pins pins(ControlPlane controlPlane, Context<ControlPlane> context) {
    return ControlPlanePins.open(controlPlane, bundle.name(), clock.instant(), context);
  }

  /**
   * What a pass applies of its pods.
   *
   * @param waits whether pods that are there stay as they are, because other control planes roll
   * @param ask gives objects of the same kind and name, for those that were restored
   */
  ControlPlanePins pin(
      Observed observed,
      boolean waits,
      UnaryOperator<HasMetadata> ask,
      Context<ControlPlane> context) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    Pins pins = pins(controlPlane, context);
    return new ControlPlanePins(
        pins,
        observed,
        () ->
            pins.formerSpec(ControlPlaneSpec.class)
                .map(spec -> former(controlPlane, spec, observed, context)),
        ask,
        waits);
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
