// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** A time until which to pause can be read. */
final class PausedUntilRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    return PausedUntil.problem(spec.pausedUntil())
        .map(message -> new Problem(Reason.InvalidPausedUntil, message));
  }
}
