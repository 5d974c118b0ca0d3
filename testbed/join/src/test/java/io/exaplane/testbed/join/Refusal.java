// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.operator.nodepool.join.JoinInput;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One cause for which the script refuses.
 *
 * @param cause in words
 * @param exit the code
 * @param says what the script must say
 * @param input what another script has instead
 * @param change lines of a shell that make it so, for the script alone
 * @param arguments of the script
 */
record Refusal(
    String cause,
    int exit,
    List<String> says,
    UnaryOperator<JoinInput> input,
    String change,
    List<String> arguments) {

  static Refusal of(String cause, int exit, String... says) {
    return new Refusal(cause, exit, List.of(says), UnaryOperator.identity(), "", List.of());
  }

  Refusal with(UnaryOperator<JoinInput> other) {
    return new Refusal(cause, exit, says, other, change, arguments);
  }

  Refusal after(String... lines) {
    return new Refusal(cause, exit, says, input, String.join("\n", lines), arguments);
  }

  Refusal calledWith(String... others) {
    return new Refusal(cause, exit, says, input, change, List.of(others));
  }

  @Override
  public String toString() {
    return cause;
  }
}
