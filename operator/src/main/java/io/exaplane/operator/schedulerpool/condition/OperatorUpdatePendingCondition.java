// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.status.Verdict;

/** Whether this operator would make other pods than those that run. Pure. */
public final class OperatorUpdatePendingCondition {
  private OperatorUpdatePendingCondition() {}

  /** From what was rendered. */
  public static Verdict of(Update update) {
    return update.verdict();
  }
}
