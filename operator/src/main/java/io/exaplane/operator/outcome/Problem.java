// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.exaplane.api.v1alpha1.Reason;

/**
 * Why something is not done as the spec asks, in the words for a condition. Immutable.
 *
 * @param message field, value, rule and next action
 */
public record Problem(Reason reason, String message) {
  public Problem {
    assert ReasonWitness.made(reason);
  }

  /** With a message that is put together as by {@link String#format}. */
  public static Problem of(Reason reason, String format, Object... values) {
    return new Problem(reason, format.formatted(values));
  }
}
