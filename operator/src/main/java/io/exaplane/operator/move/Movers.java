// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.util.Optional;

/**
 * The runs that copy keys between two stores, and hand a prefix over. No method waits for a copy,
 * and each may be called again at any time: it begins what is missing, and {@link #look} tells the
 * rest. What stores keep by the id of a move is enough for another operator to go on. Thread-safe.
 */
public interface Movers {
  /**
   * What this process knows of a move; asks nobody. Only Switching, Switched and Abandoned prove
   * anything about the stores.
   */
  MoveState look(MoveKey key);

  /**
   * Why the two stores can't take part now: one does not answer, or has no page /moves since its
   * image is older. A sentence for people, with the next action; empty if both answered.
   */
  Optional<String> obstacle(MoveEnds ends);

  /**
   * Reads the states of both stores, and begins or continues: Left by this id → finishes, and ends
   * Switched; else the copy begins anew, after a store that is Frozen by this id is thawed. Nothing
   * if this move is under way, Switched, Failed or Abandoned.
   */
  void start(MoveKey key, MoveEnds ends);

  /** Begins the switch of a move that is Following; otherwise nothing. */
  void switchOver(MoveKey key);

  /**
   * Takes everything back, unless the first store has left: then the move ends Switched all the
   * same. The first store is thawed before the second one abandons, so a late request to leave
   * finds no frozen store. Ends Abandoned.
   */
  void abandon(MoveKey key, MoveEnds ends);

  /**
   * Deletes the keys from the store that has left. Never called before the move is Switched.
   *
   * @return whether none is left; false while that is under way, or the store does not answer
   */
  boolean clear(MoveKey key, MoveEnds ends);

  /** Forgets a move that ended. */
  void forget(MoveKey key);
}
