// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.time.Duration;

/**
 * How far a move is. Immutable.
 *
 * @param keysCopied keys that the second store took
 * @param keys how many the first store has; 0 before that is known
 * @param lagRevisions revisions of the first store that the second one lacks
 * @param pause how long writes waited at the switch; zero before its end, and if another operator
 *     began it
 * @param words for people: what is under way, or why the move failed, and the next action
 * @param firstStoreServes whether the first store is known to be neither frozen by this move nor
 *     left; also while the second one gives its keys up, and after the move failed
 */
public record MoveState(
    Phase phase,
    long keysCopied,
    long keys,
    long lagRevisions,
    Duration pause,
    String words,
    boolean firstStoreServes) {
  /** Nothing is known of a move. */
  public static final MoveState NONE =
      new MoveState(Phase.None, 0, 0, 0, Duration.ZERO, "Nothing has begun.", false);

  /** Where a move is. */
  public enum Phase {
    /** Nobody asks the stores: the operator that did has ended, or nothing has begun. */
    None,
    Copying,
    /** All keys are copied, and changes follow. */
    Following,
    /** Writes wait, or the first store has left and the second one has not finished. */
    Switching,
    /** The second store serves. */
    Switched,
    /** It can't go on; the first store serves, and the second one may have keys. */
    Failed,
    /** All is taken back: the first store serves, and the second one has no key. */
    Abandoned
  }
}
