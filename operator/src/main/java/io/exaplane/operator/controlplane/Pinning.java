// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.fleet.RolloutQueue;
import io.exaplane.operator.controlplane.fleet.Turn;
import io.exaplane.operator.controlplane.fleet.Wish;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.dependent.Restored;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Pins the pods of control planes to their bundles, and lets them change in turn. Thread-safe:
 * keeps nothing.
 */
@ApplicationScoped
class Pinning {
  private final Pinner pinner;
  private final RolloutQueue queue;

  Pinning(
      OperatorConfig config, OperatorBundle bundle, Sizer sizer, RolloutQueue queue, Clock clock) {
    this.queue = queue;
    this.pinner = new Pinner(config, bundle, sizer, clock);
  }

  /** What was kept of a control plane, before a pass renders anything. */
  Pins pins(ControlPlane controlPlane, Context<ControlPlane> context) {
    return pinner.pins(controlPlane, context);
  }

  /**
   * What a pass applies of its pods. The place in the queue is handed over to the rest of the pass.
   */
  ControlPlanePins pin(Observed observed, Context<ControlPlane> context) {
    UnaryOperator<HasMetadata> ask = Restored.asking(context.getClient());
    ControlPlanePins wanted = pinner.pin(observed, false, ask, context);
    Turn turn =
        queue.next(
            observed.controlPlane().asked(),
            Wish.of(observed, wanted.replacesPods()),
            () -> all(context));
    turn.share(context);
    return wanted.replacesPods() && !turn.mayReplace()
        ? pinner.pin(observed, true, ask, context)
        : wanted;
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
}
