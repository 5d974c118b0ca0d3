// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.StoreMoves.RefusedException;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks the stores of one move until they answer. A request of which nobody knows whether it was
 * carried out is repeated: each may be. Used by the run's thread, but for the wishes, which any
 * thread may change.
 */
final class MoveCalls {
  /** What the run is asked for, by rising weight. */
  enum Wish {
    COPY,
    SWITCH,
    WITHDRAW
  }

  /** One store of a move. */
  record Side(String store, StoreMoves pages) {}

  /** A request to a store. */
  interface Request<T> {
    T send(StoreMoves pages) throws IOException, InterruptedException;
  }

  /** The same without an answer. */
  interface Order {
    void send(StoreMoves pages) throws IOException, InterruptedException;
  }

  /** Takes what is to be told. */
  interface Teller {
    void tell(String words);
  }

  private final MoveTiming timing;
  private final Teller teller;
  private Wish wish = Wish.COPY;
  private boolean wasCut;

  MoveCalls(MoveTiming timing, Teller teller) {
    this.timing = timing;
    this.teller = teller;
  }

  /** Asks the run for something; what weighs less than the wish of before changes nothing. */
  synchronized void wish(Wish next) {
    if (next.compareTo(wish) > 0) {
      wish = next;
      notifyAll();
    }
  }

  /** A switch that failed is not asked for any more. */
  synchronized void endSwitch() {
    if (wish == Wish.SWITCH) {
      wish = Wish.COPY;
    }
  }

  synchronized boolean isWished(Wish what) {
    return wish == what;
  }

  /** Waits, unless something is asked for meanwhile. */
  synchronized void pause(Duration most) throws InterruptedException {
    Wish before = wish;
    long left = most.toNanos();
    long end = System.nanoTime() + left;
    while (left > 0 && wish == before) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
      left = end - System.nanoTime();
    }
  }

  /**
   * Whether a request had no whole answer since this was last asked: a store may have restarted.
   */
  boolean wasCut() {
    boolean was = wasCut;
    wasCut = false;
    return was;
  }

  /**
   * Asks until there is an answer, for as long as the patience lasts.
   *
   * @throws RefusedException if the same request would be refused again
   * @throws MoveException.Withdrawn if all is to be taken back
   */
  <T> T ask(Side side, String what, Request<T> request)
      throws MoveException, RefusedException, InterruptedException {
    return ask(side, what, timing.patience(), request);
  }

  /** The same without an answer. */
  void order(Side side, String what, Order order)
      throws MoveException, RefusedException, InterruptedException {
    ask(side, what, timing.patience(), asRequest(order));
  }

  /** The same for as long as that. */
  <T> T ask(Side side, String what, Duration patience, Request<T> request)
      throws MoveException, RefusedException, InterruptedException {
    long begun = System.nanoTime();
    Duration pause = timing.firstPause();
    while (true) {
      if (isWished(Wish.WITHDRAW)) {
        throw new MoveException.Withdrawn();
      }
      IOException failure;
      try {
        return request.send(side.pages());
      } catch (IOException e) {
        failure = judge(e);
      }
      if (System.nanoTime() - begun > patience.toNanos()) {
        throw new MoveException.Failed(
            "Store %s did not carry out '%s' within %d ms: %s. See the Ready condition of its StoreShard, and the store's log."
                .formatted(side.store(), what, patience.toMillis(), words(failure)),
            failure);
      }
      teller.tell(waiting(side, what, failure));
      pause(pause);
      pause = longer(pause);
    }
  }

  /**
   * Asks until there is an answer, whatever is asked for meanwhile: what was begun has to end.
   *
   * @throws RefusedException if the same request would be refused again
   */
  <T> T insist(Side side, String what, Request<T> request)
      throws RefusedException, InterruptedException {
    Duration pause = timing.firstPause();
    while (true) {
      try {
        return request.send(side.pages());
      } catch (IOException e) {
        teller.tell(waiting(side, what, judge(e)));
      }
      rest(pause);
      pause = longer(pause);
    }
  }

  /** The same without an answer. */
  void insistOn(Side side, String what, Order order) throws RefusedException, InterruptedException {
    insist(side, what, asRequest(order));
  }

  /** Waits, whatever is asked for meanwhile. */
  void rest(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  /** The pause after this one. */
  Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(timing.longestPause()) < 0 ? twice : timing.longestPause();
  }

  private IOException judge(IOException failure) throws RefusedException {
    if (failure instanceof RefusedException refused) {
      if (!refused.isPassing()) {
        throw refused;
      }
    } else {
      wasCut = true;
    }
    return failure;
  }

  private static <T> Request<T> asRequest(Order order) {
    return pages -> {
      order.send(pages);
      return null;
    };
  }

  private static String waiting(Side side, String what, IOException failure) {
    return "Store %s does not carry out '%s': %s. The operator asks again. No action is needed."
        .formatted(side.store(), what, words(failure));
  }

  /** What is told of a failure: a store's own words, or the kind of failure. */
  static String words(IOException failure) {
    if (failure instanceof RefusedException refused) {
      return "%s (HTTP %d)".formatted(refused.getMessage(), refused.status());
    }
    return failure instanceof javax.net.ssl.SSLException
        ? "its certificate is not of the CA of the stores, or is not valid for its address"
        : "there is no whole answer";
  }
}
