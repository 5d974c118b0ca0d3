// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** One rule about a spec that the schema can't see. Pure; {@link ConfigurationCheck} lists all. */
interface SpecRule {
  /** How the spec breaks the rule; empty when it keeps to it. */
  Optional<Problem> check(ControlPlaneSpec spec);

  /** That the spec breaks the rule, with a message as by {@link String#format}. */
  default Optional<Problem> broken(Reason reason, String format, Object... values) {
    return Optional.of(Problem.of(reason, format, values));
  }
}
