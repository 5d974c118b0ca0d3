// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

/**
 * The operator waits for something that comes without a person's help, and the message says for
 * what. Other illegal states are faults of the operator. Immutable.
 */
public final class AwaitedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is waited for.
   *
   * @param message without a full stop
   */
  public AwaitedException(String message) {
    super(message);
  }

  /** The same with a cause. */
  public AwaitedException(String message, Throwable cause) {
    super(message, cause);
  }
}
