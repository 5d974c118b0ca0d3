// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.Optional;
import java.util.OptionalDouble;

/** What only the tuning model sees: ranges of addresses that the version refuses. */
final class ModelRule implements SpecRule {
  private final Model model;

  ModelRule(Model model) {
    this.model = model;
  }

  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    try {
      Tuned.of(spec, spec.version(), OptionalDouble.empty(), model);
      return Optional.empty();
    } catch (InvalidInputException e) {
      boolean network = e.field().endsWith("cidrs") || e.field().startsWith("node-cidr");
      return broken(
          network ? Reason.InvalidCIDR : Reason.InvalidSizing,
          "%s: the tuning model refuses %s; write another value.",
          network ? "spec.network" : "spec.sizing",
          e.getMessage());
    }
  }
}
