// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether the spec can be carried out, with what is said of a spec that is. Pure. */
public final class ConfigurationValidCondition {
  private ConfigurationValidCondition() {}

  /**
   * From what was found.
   *
   * @param problem the rule that the spec breaks, if it breaks one
   * @param notice what else there is to say of a spec that is carried out
   */
  public static Verdict of(Optional<Problem> problem, Optional<Problem> notice) {
    return problem
        .map(broken -> Verdict.no(broken.reason(), broken.message()))
        .or(() -> notice.map(said -> Verdict.yes(said.reason(), said.message())))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }
}
