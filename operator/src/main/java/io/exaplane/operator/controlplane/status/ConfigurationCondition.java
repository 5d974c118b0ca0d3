// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.check.NameNotice;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.ConditionSet;
import java.util.Optional;

/** The condition ConfigurationValid, with what is said of a spec that is carried out. Pure. */
final class ConfigurationCondition {
  private ConfigurationCondition() {}

  /**
   * Sets it.
   *
   * @param problem the rule that the spec breaks, if it breaks one
   */
  static void report(
      ConditionSet conditions, ControlPlane controlPlane, Optional<Problem> problem) {
    Optional<String> name = NameNotice.of(controlPlane);
    if (problem.isPresent()) {
      conditions.set(
          ConditionType.ConfigurationValid, false, problem.get().reason(), problem.get().message());
    } else if (name.isPresent()) {
      conditions.set(ConditionType.ConfigurationValid, true, Reason.NameReserved, name.get());
    } else {
      conditions.set(
          ConditionType.ConfigurationValid, true, Reason.AsExpected, "The spec is valid.");
    }
  }
}
