// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;

/** Whether the spec of a pool can be carried out. Pure. */
public final class ConfigurationValidCondition {
  private ConfigurationValidCondition() {}

  /** From the first rule that the spec breaks. */
  public static Verdict of(Optional<Problem> problem) {
    return problem
        .map(found -> Verdict.no(found.reason(), found.message()))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }
}
