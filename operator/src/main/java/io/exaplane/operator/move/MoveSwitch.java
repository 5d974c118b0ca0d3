// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveCopy.Deadline;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.move.StoreMoves.Role;
import io.exaplane.operator.move.StoreMoves.States;
import io.exaplane.operator.move.StoreMoves.Sum;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Hands a prefix over: freeze, last changes, sums, leave, finish. Until the first store was told to
 * leave, a failure thaws it. From then on each step is repeated until it is done. So one store
 * serves the prefix at a time, whatever fails. Used by one thread.
 */
final class MoveSwitch {
  private static final Duration SUM = Duration.ofMinutes(2);

  /** For the last request of a run that ends. */
  private static final Duration LAST = Duration.ofSeconds(5);

  private final MoveKey key;
  private final Side from;
  private final Side to;
  private final MoveCalls calls;
  private final MoveCalls.Teller teller;
  private final MoveTiming timing;

  MoveSwitch(
      MoveKey key,
      Side from,
      Side to,
      MoveCalls calls,
      MoveCalls.Teller teller,
      MoveTiming timing) {
    this.key = key;
    this.from = from;
    this.to = to;
    this.calls = calls;
    this.teller = teller;
    this.timing = timing;
  }

  /**
   * Hands over what a copy brought.
   *
   * @return how long writes waited
   * @throws MoveException.Failed if the first store serves as before
   * @throws MoveException.Withdrawn the same, since all is to be taken back
   */
  Duration handOver(MoveCopy copy) throws MoveException, InterruptedException {
    long begun = System.nanoTime();
    Deadline deadline = Deadline.in(timing.switchover());
    Held held = held(deadline);
    copy.hold(held.from(), held.to(), deadline);
    Left left;
    try {
      left = handOver(copy, held, deadline);
    } catch (InterruptedException | RuntimeException e) {
      thawOnce(held);
      throw e;
    }
    settle(left);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /**
   * Both stores while clients wait.
   *
   * @param thawing the first one without the deadline, for when nothing else is known of it
   */
  private record Held(Side from, Side to, StoreMoves thawing) {}

  /** Nothing is frozen yet, so this may fail. */
  private Held held(Deadline deadline) throws MoveException.Failed {
    try {
      return new Held(
          new Side(from.store(), from.pages().held(deadline::left)),
          new Side(to.store(), to.pages().held(deadline::left)),
          from.pages().held(() -> LAST));
    } catch (IOException e) {
      throw new MoveException.Failed(
          "The switch did not begin, since %s. See the Ready conditions of both StoreShards, then create the task again."
              .formatted(e.getMessage()),
          e);
    }
  }

  /**
   * Until the first store has left.
   *
   * @return what the first store has; null to ask it
   */
  private Left handOver(MoveCopy copy, Held held, Deadline deadline)
      throws MoveException, InterruptedException {
    try {
      Agreed agreed = agreed(copy, held, deadline);
      return new Left(agreed.sum(), leave(held, agreed, deadline));
    } catch (MoveException e) {
      if (thaw()) {
        throw e instanceof MoveException.Withdrawn ? e : failed(e.getMessage(), e);
      }
    } catch (RuntimeException e) {
      // Such as a second store that is gone.
      if (thaw()) {
        throw e;
      }
    }
    return null;
  }

  /**
   * What both stores have.
   *
   * @param frozenAt the first store's revision, after which it took no write
   */
  private record Agreed(Sum sum, long frozenAt) {}

  /**
   * What the first store has, and keeps.
   *
   * @param revision the newest that a client has seen with keys of the prefix
   */
  private record Left(Sum sum, long revision) {}

  private static MoveException.Failed failed(String why, MoveException cause) {
    return new MoveException.Failed(
        "The switch was taken back, and writes continue: %s Find out why, then let the task try again."
            .formatted(why),
        cause);
  }

  private Agreed agreed(MoveCopy copy, Held held, Deadline deadline)
      throws MoveException, InterruptedException {
    try {
      long last =
          calls.ask(held.from(), "POST /moves/freeze", deadline.left(), pages -> pages.freeze(key));
      copy.bringUpTo(last);
      Sum theirs = sums(held, deadline);
      if (deadline.isOver()) {
        throw new MoveException.Failed(
            "The stores needed more than %d ms.".formatted(timing.switchover().toMillis()));
      }
      return new Agreed(theirs, last);
    } catch (RefusedException e) {
      throw new MoveException.Failed(
          "A store refuses the switch: %s.".formatted(MoveCalls.words(e)), e);
    }
  }

  /** Both sums at once, since writes wait for them. */
  private Sum sums(Held held, Deadline deadline)
      throws MoveException, RefusedException, InterruptedException {
    FutureTask<Sum> second = new FutureTask<>(sumOf(held.to(), deadline));
    Thread thread = Thread.ofVirtual().name("move-sum").start(second);
    try {
      Sum first =
          calls.ask(
              held.from(), "GET /moves/sum", deadline.left(), p -> p.sum(key, deadline.left()));
      Sum other = second.get();
      if (!first.equals(other)) {
        throw new MoveException.Failed(
            "Store %s has %d keys of %s, and store %s has %d, or their values differ."
                .formatted(from.store(), first.keys(), key.prefix(), to.store(), other.keys()));
      }
      return first;
    } catch (ExecutionException e) {
      throw new MoveException.Failed(
          "Store %s did not add its keys up: %s."
              .formatted(
                  to.store(),
                  e.getCause() instanceof IOException io
                      ? MoveCalls.words(io)
                      : "the operator failed; see the operator's log"),
          e.getCause());
    } finally {
      thread.interrupt();
    }
  }

  private Callable<Sum> sumOf(Side side, Deadline deadline) {
    return () -> {
      while (true) {
        try {
          return side.pages().sum(key, deadline.left());
        } catch (RefusedException e) {
          if (!e.isPassing() || deadline.isOver()) {
            throw e;
          }
          calls.rest(timing.firstPause());
        }
      }
    };
  }

  /**
   * Lets writes go on, however long that takes to be answered.
   *
   * @return false if the first store has left
   */
  boolean thaw() throws InterruptedException {
    Duration pause = timing.firstPause();
    while (true) {
      try {
        calls.insistOn(from, "POST /moves/thaw", pages -> pages.thaw(key));
        return true;
      } catch (RefusedException e) {
        teller.tell(refused(from, "POST /moves/thaw", e));
      }
      try {
        States there = calls.insist(from, "GET /moves", StoreMoves::states);
        if (there.is(Role.Left, key)) {
          return false;
        }
        if (!there.is(Role.Frozen, key)) {
          return true;
        }
      } catch (RefusedException e) {
        teller.tell(refused(from, "GET /moves", e));
      }
      calls.rest(pause);
      pause = calls.longer(pause);
    }
  }

  /**
   * The run ends: another one thaws the store if this does not arrive. A store that has left
   * refuses this, and one that is thawed refuses to leave.
   */
  private void thawOnce(Held held) {
    try {
      held.thawing().thaw(key);
    } catch (IOException e) {
      teller.tell("Store %s may be frozen; the next operator thaws it.".formatted(from.store()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets the first store leave, unless it took writes after the freeze: a late request to thaw may
   * have come.
   *
   * @return its newest revision then
   * @throws MoveException.Failed if it did not leave, or takes too long to say so. Then a thaw
   *     decides: whichever of the two comes first makes the store refuse the other.
   */
  private long leave(Held held, Agreed agreed, Deadline deadline)
      throws MoveException, InterruptedException {
    Duration pause = timing.firstPause();
    while (true) {
      try {
        return held.from().pages().leave(key, agreed.frozenAt());
      } catch (RefusedException e) {
        if (!e.isPassing()) {
          throw new MoveException.Failed(
              "Store %s did not leave: %s.".formatted(from.store(), MoveCalls.words(e)), e);
        }
        teller.tell(refused(from, "POST /moves/leave", e));
      } catch (IOException e) {
        teller.tell(
            "Store %s did not answer 'POST /moves/leave'. The operator asks again. No action is needed."
                .formatted(from.store()));
      }
      if (deadline.isOver()) {
        throw new MoveException.Failed(
            "Store %s did not say in time that it left.".formatted(from.store()));
      }
      calls.rest(pause);
      pause = calls.longer(pause);
    }
  }

  /**
   * Lets the second store serve, after the first one has left. Whatever the second one lost, it
   * gets again from the first one, which keeps all keys and takes no write.
   */
  void settle() throws InterruptedException {
    settle(null);
  }

  /** The same; null asks the first store. */
  private void settle(Left known) throws InterruptedException {
    Duration pause = timing.firstPause();
    Left found = known;
    while (true) {
      try {
        Left left = found == null ? left() : found;
        found = left;
        calls.insistOn(
            to, "POST /moves/finish", pages -> pages.finish(key, left.sum(), left.revision()));
        return;
      } catch (RefusedException e) {
        teller.tell(refused(to, "POST /moves/finish", e));
        if (e.status() == HttpURLConnection.HTTP_CONFLICT
            || e.status() == HttpURLConnection.HTTP_NOT_FOUND) {
          if (hasArrived()) {
            return;
          }
          copyAgain();
          found = null;
        }
      }
      calls.rest(pause);
      pause = calls.longer(pause);
    }
  }

  private Left left() throws RefusedException, InterruptedException {
    Sum sum = calls.insist(from, "GET /moves/sum", p -> p.sum(key, SUM));
    return new Left(sum, calls.insist(from, "GET /moves", StoreMoves::states).revision());
  }

  private boolean hasArrived() throws InterruptedException {
    try {
      return calls.insist(to, "GET /moves", StoreMoves::states).is(Role.Arrived, key);
    } catch (RefusedException e) {
      return false;
    }
  }

  /** From a store that takes no write: pages alone are enough. */
  private void copyAgain() throws InterruptedException {
    try {
      long above =
          Math.max(
              calls.insist(from, "GET /moves", StoreMoves::states).revision(),
              calls.insist(to, "GET /moves", StoreMoves::states).revision());
      calls.insistOn(to, "POST /moves/arrive", pages -> pages.arrive(key, above, ""));
      String next = "";
      do {
        String after = next;
        StoreMoves.Page page =
            calls.insist(from, "GET /moves/page", pages -> pages.page(key, after));
        if (page.records().length > 0) {
          calls.insistOn(to, "POST /moves/take", pages -> pages.take(key, page.records()));
        }
        next = page.next();
      } while (!next.isEmpty());
    } catch (RefusedException e) {
      teller.tell(
          "Store %s has left %s, and store %s cannot take the keys: %s. Requests of this Kind fail until it can. Do what this message says; the operator tries again."
              .formatted(from.store(), key.prefix(), to.store(), MoveCalls.words(e)));
    }
  }

  private static String refused(Side side, String what, RefusedException e) {
    return "Store %s refuses '%s': %s. The operator tries again."
        .formatted(side.store(), what, MoveCalls.words(e));
  }
}
