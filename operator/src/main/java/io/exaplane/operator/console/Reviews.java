// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.util.Optional;

/** The API server's answers about people. Implementations are thread-safe, and may block. */
interface Reviews {
  /**
   * Who has a token; nobody if the API server does not know it.
   *
   * @throws Unreachable if the API server does not answer
   */
  Optional<Viewer> who(String token);

  /** Whether a token was found to be somebody's lately, so that nobody guesses it. */
  default boolean knows(String token) {
    return false;
  }

  /**
   * Whether somebody may see something.
   *
   * @throws Unreachable if the API server does not answer
   */
  boolean may(Viewer viewer, Right right);

  /** The API server does not answer, so nothing is known. */
  final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unreachable(Throwable cause) {
      super("the API server of the management cluster does not answer", cause);
    }
  }
}
