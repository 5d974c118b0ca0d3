// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

/** Why a run leaves its way; the message is for people. */
abstract sealed class MoveException extends Exception {
  private static final long serialVersionUID = 1L;

  private MoveException(String words, Throwable cause) {
    super(words, cause);
  }

  /** It can't go on; the message ends with the next action. */
  static final class Failed extends MoveException {
    private static final long serialVersionUID = 1L;

    Failed(String words) {
      super(words, null);
    }

    Failed(String words, Throwable cause) {
      super(words, cause);
    }
  }

  /** What was copied is of no use; the message says why. */
  static final class BeginAgain extends MoveException {
    private static final long serialVersionUID = 1L;

    BeginAgain(String words) {
      super(words, null);
    }
  }

  /** Somebody wants all taken back. */
  static final class Withdrawn extends MoveException {
    private static final long serialVersionUID = 1L;

    Withdrawn() {
      super("The move is taken back.", null);
    }
  }
}
