// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.StoreMoves.Changes;
import io.exaplane.operator.move.StoreMoves.Entry;
import io.exaplane.operator.move.StoreMoves.Page;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.move.StoreMoves.Role;
import io.exaplane.operator.move.StoreMoves.States;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One copy of a prefix, from its beginning. Pages and changes take turns, so the second store has
 * all of one revision when the last page is there and no change is left. One page is in memory at a
 * time. Used by one thread.
 */
final class MoveCopy {
  /** Of changes between two pages: a store with many writes must not keep a copy from its end. */
  private static final int MOST_ROUNDS = 4;

  private final MoveKey key;
  private Side from;
  private Side to;
  private final MoveCalls calls;
  private Deadline deadline;
  private String fromCluster;
  private String toCluster;
  private long upTo;

  MoveCopy(MoveKey key, Side from, Side to, MoveCalls calls) {
    this.key = key;
    this.from = from;
    this.to = to;
    this.calls = calls;
  }

  /** Is told how far a copy is. */
  interface Progress {
    /**
     * Pages were taken.
     *
     * @param keys of all pages so far
     * @param inAll about how many there are
     */
    void copied(long keys, long inAll);
  }

  /** Begins: the second store has no key of the prefix after that. */
  void begin() throws MoveException, InterruptedException {
    try {
      States there = calls.ask(from, "GET /moves", StoreMoves::states);
      fromCluster = there.clusterId();
      upTo = there.revision();
      String finished = finished(there, calls.ask(to, "GET /moves", StoreMoves::states));
      calls.order(to, "POST /moves/arrive", pages -> pages.arrive(key, upTo, finished));
      toCluster = calls.ask(to, "GET /moves", StoreMoves::states).clusterId();
      calls.wasCut();
    } catch (RefusedException e) {
      throw failed(e);
    }
  }

  /**
   * The move by which the prefix left the second store, if the first store serves: it has no state,
   * after a freeze that was taken back, or has Arrived. Otherwise the second store keeps its keys.
   */
  private String finished(States there, States here) {
    boolean serves =
        there.of(key.prefix()).filter(entry -> entry.state() != Role.Arrived).isEmpty();
    return here.of(key.prefix())
        .filter(entry -> serves && entry.state() == Role.Left)
        .map(Entry::id)
        .filter(id -> !id.equals(key.taskUid()))
        .orElse("");
  }

  /**
   * Copies all pages, and what changes meanwhile.
   *
   * @param progress told after each page
   */
  void pages(Progress progress) throws MoveException, InterruptedException {
    long keys = 0;
    long inAll = 0;
    String next = "";
    do {
      String after = next;
      Page page = read("GET /moves/page", pages -> pages.page(key, after));
      take(page.records());
      keys += records(page.records());
      inAll = Math.max(keys, page.keys().orElse(inAll));
      progress.copied(keys, inAll);
      next = page.next();
      rounds();
    } while (!next.isEmpty());
    // Changes never end where clients write; what came until now is enough to follow.
    long now = read("GET /moves", StoreMoves::states).revision();
    while (upTo < now) {
      round();
    }
  }

  /** Brings changes until there are none, or often enough. */
  private void rounds() throws MoveException, InterruptedException {
    int left = MOST_ROUNDS;
    while (left > 0 && round() > 0) {
      left--;
    }
  }

  /**
   * Brings the changes that there are, at most a page of them.
   *
   * @return how many bytes they have
   */
  int round() throws MoveException, InterruptedException {
    Changes changes = read("GET /moves/changes", pages -> pages.changes(key, upTo, 0));
    if (changes.upTo() < upTo) {
      throw new MoveException.BeginAgain(
          "Store %s has the revision %d, and had %d before."
              .formatted(from.store(), changes.upTo(), upTo));
    }
    take(changes.records());
    upTo = changes.upTo();
    return changes.records().length;
  }

  /** From now on clients wait: asks these, and no longer than until then. */
  void hold(Side heldFrom, Side heldTo, Deadline end) {
    from = heldFrom;
    to = heldTo;
    deadline = end;
  }

  /** Brings all changes up to a revision after which there are none. */
  void bringUpTo(long revision) throws MoveException, InterruptedException {
    while (upTo < revision) {
      round();
    }
  }

  /** How many revisions of the first store, of any prefix, were not looked at yet. */
  long lag() throws MoveException, InterruptedException {
    return Math.max(0, read("GET /moves", StoreMoves::states).revision() - upTo);
  }

  /** The revision up to which the second store has every change. */
  long upTo() {
    return upTo;
  }

  private void take(byte[] records) throws MoveException, InterruptedException {
    if (records.length == 0) {
      return;
    }
    try {
      ask(
          to,
          "POST /moves/take",
          pages -> {
            pages.take(key, records);
            return null;
          });
    } catch (RefusedException e) {
      if (e.status() == HttpURLConnection.HTTP_CONFLICT) {
        throw new MoveException.BeginAgain(
            "Store %s no longer receives %s: %s."
                .formatted(to.store(), key.prefix(), e.getMessage()));
      }
      throw new MoveException.Failed(refusal(to, "POST /moves/take", e), e);
    }
    checkStores();
  }

  private <T> T read(String what, MoveCalls.Request<T> request)
      throws MoveException, InterruptedException {
    T answer;
    try {
      answer = ask(from, what, request);
    } catch (RefusedException e) {
      if (e.isCompacted()) {
        throw new MoveException.BeginAgain(
            "Store %s has compacted changes that were not copied yet.".formatted(from.store()));
      }
      throw new MoveException.Failed(refusal(from, what, e), e);
    }
    checkStores();
    return answer;
  }

  private <T> T ask(Side side, String what, MoveCalls.Request<T> request)
      throws MoveException, RefusedException, InterruptedException {
    return deadline == null
        ? calls.ask(side, what, request)
        : calls.ask(side, what, deadline.left(), request);
  }

  /** After a request without an answer: a store may be another one, or have lost what it had. */
  private void checkStores() throws MoveException, InterruptedException {
    if (!calls.wasCut()) {
      return;
    }
    try {
      States there = ask(from, "GET /moves", StoreMoves::states);
      if (!there.clusterId().equals(fromCluster) || there.revision() < upTo) {
        throw new MoveException.BeginAgain(
            "Store %s came back with other data.".formatted(from.store()));
      }
      States here = ask(to, "GET /moves", StoreMoves::states);
      if (!here.clusterId().equals(toCluster) || !here.is(Role.Arriving, key)) {
        throw new MoveException.BeginAgain(
            "Store %s came back without the keys that it had received.".formatted(to.store()));
      }
    } catch (RefusedException e) {
      throw failed(e);
    }
  }

  private static MoveException.Failed failed(RefusedException e) {
    return new MoveException.Failed(
        "A store refuses the move: %s.".formatted(MoveCalls.words(e)), e);
  }

  private static String refusal(Side side, String what, RefusedException e) {
    return "Store %s refuses '%s': %s. Do what this message says, then create the task again."
        .formatted(side.store(), what, MoveCalls.words(e));
  }

  /** How many records a body has: each begins with its length. */
  static long records(byte[] body) {
    ByteBuffer left = ByteBuffer.wrap(body);
    long records = 0;
    while (left.remaining() >= Integer.BYTES) {
      int length = left.getInt();
      left.position(left.position() + Math.clamp(length, 0, left.remaining()));
      records++;
    }
    return records;
  }

  /** A moment by which something has to be done. */
  record Deadline(long atNanos) {
    static Deadline in(Duration time) {
      return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The time until then, and nothing after it. */
    Duration left() {
      return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    }

    boolean isOver() {
      return left().isZero();
    }
  }
}
