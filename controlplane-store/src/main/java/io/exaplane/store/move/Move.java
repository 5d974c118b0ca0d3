// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.move;

/**
 * Where the move of a Kind stands, in this store. Immutable.
 *
 * @param prefix of the Kind's keys, as {@code /registry/pods/}
 * @param id of the move, which every later request about it must name
 * @param revision the store's newest revision when the state began; while {@link State#Frozen}, and
 *     {@link State#Left} after it, the revision that has every write of the Kind; {@link
 *     #ABANDONED} if the Kind was to come, and never did
 */
public record Move(String prefix, String id, State state, long revision) {

  /** The revision of {@link State#Left} in a store that has no keys of the Kind. */
  public static final long ABANDONED = 0;

  /** Whether the Kind left with keys, which another store may not have yet. */
  public boolean mayHaveTheOnlyKeys() {
    return state == State.Left && revision != ABANDONED;
  }

  /** What the store does with requests of clients. The names are those of the pages. */
  public enum State {
    /** The Kind comes to this store: everything is refused. */
    Arriving,

    /** The Kind came to this store, and is served. */
    Arrived,

    /** The Kind is about to leave this store: it is read and watched, and writes are refused. */
    Frozen,

    /**
     * The Kind is another store's: everything is refused, until it arrives again. Connections that
     * ask for it are asked to come again elsewhere. A store to which a Kind came and was not
     * finished is in this state, too: a client that is still connected would read an empty Kind.
     */
    Left
  }
}
