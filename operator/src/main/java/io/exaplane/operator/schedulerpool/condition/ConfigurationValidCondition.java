// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.Verdict;

/** Whether the spec of a pool can be carried out. Pure. */
public final class ConfigurationValidCondition {
  private ConfigurationValidCondition() {}

  /** From what was seen. */
  public static Verdict of(PoolObserved observed) {
    return observed
        .missing()
        .filter(PoolTarget.Missing::invalid)
        .map(invalid -> Verdict.no(invalid.reason(), invalid.message()))
        .or(() -> observed.notice().map(said -> Verdict.yes(said.reason(), said.message())))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }
}
