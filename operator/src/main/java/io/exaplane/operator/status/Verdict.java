// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;

/**
 * What a condition says. Immutable.
 *
 * @param status True, False or Unknown
 * @param message for people, with the next action when the condition is not good
 */
public record Verdict(String status, Reason reason, String message) {
  public Verdict {
    assert ReasonWitness.made(reason);
  }

  public static Verdict of(boolean met, Reason reason, String message) {
    return met ? yes(reason, message) : no(reason, message);
  }

  public static Verdict yes(Reason reason, String message) {
    return new Verdict(Condition.TRUE, reason, message);
  }

  public static Verdict no(Reason reason, String message) {
    return new Verdict(Condition.FALSE, reason, message);
  }

  public static Verdict unknown(Reason reason, String message) {
    return new Verdict(Condition.UNKNOWN, reason, message);
  }

  /** The same in other words. */
  public Verdict withMessage(String words) {
    return new Verdict(status, reason, words);
  }

  /** Whether the condition is True. */
  public boolean met() {
    return status.equals(Condition.TRUE);
  }
}
