// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Duration;
import java.util.Optional;

/**
 * What the queue answers. Immutable.
 *
 * @param place for the status; null for none
 * @param mayReplace whether pods may be replaced in this pass
 * @param nextLook when to ask again although nothing happened
 * @param most how many roll at once
 */
public record Turn(RolloutTurn place, boolean mayReplace, Optional<Duration> nextLook, int most) {
  private static final String KEY = Turn.class.getName();

  /** Whether it waits for others. */
  public boolean isWaiting() {
    return place != null && place.state() == RolloutTurn.State.Waiting;
  }

  /** Hands this over to the rest of the same pass. */
  public void share(Context<ControlPlane> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What was handed over, if the pass asked. */
  public static Optional<Turn> shared(Context<ControlPlane> context) {
    return context.managedWorkflowAndDependentResourceContext().get(KEY, Turn.class);
  }
}
