// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.sizing.Arguments;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Gate;
import io.exaplane.tuning.version.MinorVersion;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a version's components would start with the flags and gates that a user adds: one that
 * does not know a flag or a gate ends at once. Pure.
 */
final class ArgumentsRule implements SpecRule {
  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    MinorVersion version = MinorVersion.parse(spec.version());
    for (Component component : Arguments.COMPONENTS) {
      Optional<Problem> problem = check(spec, component, version);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Optional<Problem> check(
      ControlPlaneSpec spec, Component component, MinorVersion version) {
    String field = Arguments.field(component);
    for (ExtraArg argument : Arguments.of(spec, component)) {
      if (Model.MATRIX.flag(component, version, argument.name()).isEmpty()) {
        return broken(
            Reason.UnknownFlag,
            "%s %s: %s %s has no such flag and would not start; correct or remove the flag.",
            field,
            argument.name(),
            component,
            version);
      }
    }
    if (Arguments.emulates(spec, component)) {
      return Optional.empty(); // its gates are those of another version
    }
    try {
      return gates(Arguments.gates(spec, component), field, component, version);
    } catch (IllegalArgumentException unreadable) {
      return broken(
          Reason.InvalidFeatureGates,
          "%s feature-gates '%s': must be Name=true or Name=false, separated by commas; correct "
              + "the value.",
          field,
          unreadable.getMessage());
    }
  }

  private Optional<Problem> gates(
      Map<String, Boolean> gates, String field, Component component, MinorVersion version) {
    for (Map.Entry<String, Boolean> entry : gates.entrySet()) {
      String name = Arguments.plainName(entry.getKey());
      Optional<Gate> gate = Model.MATRIX.gate(component, version, name);
      if (gate.isEmpty() && !Arguments.GATE_GROUPS.contains(name)) {
        return broken(
            Reason.UnknownFeatureGate,
            "%s feature-gates %s: %s %s has no such gate and would not start; correct or remove "
                + "the gate.",
            field,
            name,
            component,
            version);
      }
      if (gate.isPresent()
          && gate.get().locked()
          && gate.get().enabledByDefault() != entry.getValue()) {
        return broken(
            Reason.LockedFeatureGate,
            "%s feature-gates %s=%s: %s %s locks the gate to %s and would not start; remove the"
                + " gate.",
            field,
            name,
            entry.getValue(),
            component,
            version,
            gate.get().enabledByDefault());
      }
    }
    return Optional.empty();
  }
}
