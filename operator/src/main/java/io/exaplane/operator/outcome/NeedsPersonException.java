// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

/**
 * The operator can't go on until a person does something. Unlike other illegal states it does not
 * pass by itself. Immutable.
 */
public final class NeedsPersonException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String action;

  /**
   * With both parts as its message.
   *
   * @param problem what is wrong, without a full stop
   * @param action what to do next, as whole sentences
   */
  public NeedsPersonException(String problem, String action) {
    this(problem, action, null);
  }

  /** The same with a cause, or null. */
  public NeedsPersonException(String problem, String action, Throwable cause) {
    super(problem + ". " + action, cause);
    this.problem = problem;
    this.action = action;
  }

  /** What is wrong, without a full stop. */
  public String problem() {
    return problem;
  }

  /** What to do next. */
  public String action() {
    return action;
  }
}
