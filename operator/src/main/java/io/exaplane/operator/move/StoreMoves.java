// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The pages /moves of one store. Each method asks once. It throws {@link RefusedException} for an
 * answer that is none of success, and another {@link IOException} if there is no whole answer: the
 * store may have carried out the request all the same. Every request may be repeated. Thread-safe.
 */
interface StoreMoves {
  /**
   * The same pages for as long as clients wait: where the store is known to be now, without a
   * question to anybody else.
   *
   * @param most asked before each request, which takes no longer; nor longer than it usually may
   * @throws IOException if nobody knows where the store is
   */
  StoreMoves held(Supplier<Duration> most) throws IOException;

  /** What the store says of itself and of its moves. */
  States states() throws IOException, InterruptedException;

  /**
   * Begins to receive a prefix, anew if it had begun: keys of before are deleted.
   *
   * @param above the store's own revision is to be far above this one
   * @param finished the earlier move by which the prefix left the store, if another store was seen
   *     to have finished it: then the keys that the store kept are deleted; "" otherwise
   */
  void arrive(MoveKey key, long above, String finished) throws IOException, InterruptedException;

  /** Writes records as one revision, durable before the answer. */
  void take(MoveKey key, byte[] records) throws IOException, InterruptedException;

  /**
   * The next records of a prefix, by key, at the newest revision.
   *
   * @param after what the page before named as next; "" for the first page
   */
  Page page(MoveKey key, String after) throws IOException, InterruptedException;

  /**
   * What changed below a prefix after a revision, in order.
   *
   * @param waitMs how long the store may wait for a change, 0 to 1000
   */
  Changes changes(MoveKey key, long after, int waitMs) throws IOException, InterruptedException;

  /**
   * Holds writes of a prefix back.
   *
   * @return the revision that has every write before
   */
  long freeze(MoveKey key) throws IOException, InterruptedException;

  /** Lets writes go on. */
  void thaw(MoveKey key) throws IOException, InterruptedException;

  /**
   * Adds all keys and values of a prefix up.
   *
   * @param most time until the answer is there
   */
  Sum sum(MoveKey key, Duration most) throws IOException, InterruptedException;

  /**
   * Never serves the prefix again.
   *
   * @param frozenAt what {@link #freeze} returned before the sums were compared; the store refuses
   *     if it took writes since then
   * @return the newest revision that any client has seen with keys of the prefix
   */
  long leave(MoveKey key, long frozenAt) throws IOException, InterruptedException;

  /**
   * Serves the prefix from now on, if its sum is this one.
   *
   * @param above what {@link #leave} of the other store returned; revisions up to it are told to be
   *     compacted
   */
  void finish(MoveKey key, Sum sum, long above) throws IOException, InterruptedException;

  /** Deletes what was received. */
  void abandon(MoveKey key) throws IOException, InterruptedException;

  /**
   * Deletes the keys of a prefix that the store has left. The caller has seen that the other store
   * has finished this move; until then these may be the only keys.
   */
  void clear(MoveKey key) throws IOException, InterruptedException;

  /** What a store is to a prefix; none of these while no move concerns the prefix. */
  enum Role {
    Arriving,
    Arrived,
    Frozen,
    Left
  }

  /**
   * A move as a store keeps it.
   *
   * @param id of the move
   */
  record Entry(String prefix, String id, Role state) {}

  /**
   * A store and its moves.
   *
   * @param revision its newest
   * @param clusterId of its data
   * @param durability of its keys
   */
  record States(long revision, String clusterId, List<Entry> moves, PrefixDurability durability) {
    /** What it is to a prefix. */
    Optional<Entry> of(String prefix) {
      return moves.stream().filter(entry -> entry.prefix().equals(prefix)).findFirst();
    }

    /** Whether it is that to a prefix by this move. */
    boolean is(Role role, MoveKey key) {
      return of(key.prefix())
          .filter(entry -> entry.id().equals(key.taskUid()) && entry.state() == role)
          .isPresent();
    }
  }

  /**
   * Records by key.
   *
   * @param next where the next page begins; "" after the last one
   * @param keys of the first page how many keys the prefix has in all, if the store says so
   */
  record Page(byte[] records, String next, OptionalLong keys) {}

  /**
   * Records in the order of revisions.
   *
   * @param upTo no change up to this revision is missing
   */
  record Changes(byte[] records, long upTo) {}

  /** Number of keys, and SHA-256 of keys and values, as lower-case hex. */
  record Sum(long keys, String sha256) {}

  /** A store's answer that is none of success. */
  final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int GONE = 410;
    private static final int TOO_MANY = 429;
    private static final int BUSY = 503;

    private final int status;

    /**
     * An answer.
     *
     * @param line of its body: what, value, next action
     */
    RefusedException(int status, String line) {
      super(line);
      this.status = status;
    }

    int status() {
      return status;
    }

    /** Whether the same request may succeed a moment later. */
    boolean isPassing() {
      return status == TOO_MANY || status == BUSY;
    }

    /** Whether the store no longer has the history that was asked for. */
    boolean isCompacted() {
      return status == GONE;
    }
  }
}
