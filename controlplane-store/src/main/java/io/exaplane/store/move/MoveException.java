// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.move;

/** What was asked of a move can't be done. Without a stack trace: it is an answer, not a fault. */
public final class MoveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param status of HTTP: 400 bad input, 404 no such move, 409 wrong state, 503 ask again, 507
   *     full
   * @param text one line: what, the value, the next action
   */
  public MoveException(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  /** A move does not stand as a request needs it. */
  public static MoveException wrongState(Move move, String id, Move.State wanted) {
    return new MoveException(
        409,
        "prefix: the move of '%s' is %s by id '%s', and must be %s by id '%s'; check GET /moves, and end that move first"
            .formatted(move.prefix(), move.state(), move.id(), wanted, id));
  }

  public int status() {
    return status;
  }
}
