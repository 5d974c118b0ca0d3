// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveCalls.Wish;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.StoreMoves.Entry;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.move.StoreMoves.Role;
import io.exaplane.operator.move.StoreMoves.States;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * One move, from what the stores have to its end. All that another operator needs is in the stores,
 * so this may end between any two requests. The state is immutable and may be read by any thread;
 * the rest is the run's own thread's.
 */
final class MoveRun implements Runnable {
  private static final Logger LOG = Logger.getLogger(MoveRun.class);

  /** Of changes: there may be more, and nobody waits for them. */
  private static final int MANY_BYTES = 256 << 10;

  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private final MoveKey key;
  private final Side from;
  private final Side to;
  private final MoveTiming timing;
  private final Semaphore places;
  private final MoveCalls calls;
  private final MoveSwitch switchover;
  private final MoveOrphans orphans;
  private volatile MoveState state = MoveState.NONE;
  private boolean firstServes;

  /**
   * A move that has not begun.
   *
   * @param from the store that has the keys
   * @param places how many runs copy at once
   * @param tasks those that exist
   */
  MoveRun(
      MoveKey key,
      Side from,
      Side to,
      MoveTiming timing,
      Semaphore places,
      MoveOrphans.Tasks tasks) {
    this.key = key;
    this.from = from;
    this.to = to;
    this.timing = timing;
    this.places = places;
    this.calls = new MoveCalls(timing, this::tell);
    this.switchover = new MoveSwitch(key, from, to, calls, this::tell, timing);
    this.orphans = new MoveOrphans(key, from, to, calls, this::tell, timing, tasks);
  }

  /** How far it is. */
  MoveState state() {
    return state;
  }

  /** Whether nothing more happens. */
  boolean hasEnded() {
    Phase phase = state.phase();
    return phase == Phase.Switched || phase == Phase.Failed || phase == Phase.Abandoned;
  }

  /** Hands over, if all is copied. */
  void switchOver() {
    if (state.phase() == Phase.Following) {
      calls.wish(Wish.SWITCH);
    }
  }

  /** Takes all back, unless the first store has left. */
  void withdraw() {
    calls.wish(Wish.WITHDRAW);
  }

  @Override
  public void run() {
    try {
      go();
    } catch (InterruptedException e) {
      LOG.infof("the move of %s from %s ends with the operator", key.prefix(), from.store());
    } catch (StoreGoneException e) {
      end(Phase.Failed, e.getMessage());
    } catch (RuntimeException e) {
      LOG.errorf(e, "the move of %s from %s failed", key.prefix(), from.store());
      end(Phase.Failed, "The operator failed; its log says why. Report that, with the log.");
    }
  }

  private void go() throws InterruptedException {
    try {
      if (!calls.isWished(Wish.WITHDRAW)) {
        Optional<MoveException.Failed> obstacle = goOn();
        if (obstacle.isPresent()) {
          end(Phase.Failed, obstacle.get().getMessage());
          return;
        }
        if (!hasEnded()) {
          copyAndHandOver();
        }
        return;
      }
    } catch (MoveException.Withdrawn e) {
      tell(e.getMessage());
    } catch (MoveException e) {
      end(Phase.Failed, e.getMessage());
      return;
    }
    takeBack();
  }

  /** Goes on with what an operator before began. */
  private Optional<MoveException.Failed> goOn() throws MoveException, InterruptedException {
    // Which store serves is not known yet.
    show(Phase.None, 0, 0, 0, "The operator asks both stores. No action is needed.");
    try {
      States there = calls.ask(from, "GET /moves", StoreMoves::states);
      States here = calls.ask(to, "GET /moves", StoreMoves::states);
      if (orphans.end(there, here)) {
        return goOn();
      }
      Optional<MoveKey> before = orphans.leftBehind(there, here);
      if (here.is(Role.Arrived, key)) {
        switched(Duration.ZERO);
      } else if (before.isPresent()) {
        settle(new MoveSwitch(before.get(), from, to, calls, this::tell, timing));
      } else if (there.is(Role.Left, key)) {
        settle();
      } else if (there.is(Role.Frozen, key) && !switchover.thaw()) {
        settle();
      }
      firstServes = !hasEnded() && serves(there);
      return hasEnded()
          ? Optional.empty()
          : objection(from, there).or(() -> objection(to, here)).or(() -> loss(there, here));
    } catch (RefusedException e) {
      throw new MoveException.Failed(
          "A store refuses 'GET /moves': %s. Do what this message says, then create the task again."
              .formatted(MoveCalls.words(e)),
          e);
    }
  }

  private void settle() throws InterruptedException {
    settle(switchover);
  }

  private void settle(MoveSwitch of) throws InterruptedException {
    show(Phase.Switching, 0, 0, 0, "The second store takes over. No action is needed.");
    of.settle();
    // Nobody knows when writes began to wait.
    switched(Duration.ZERO);
  }

  /** Whether a store that is not frozen by this move serves the prefix. */
  private boolean serves(States there) {
    return there
        .of(key.prefix())
        .map(Entry::state)
        .filter(role -> role == Role.Left || role == Role.Arriving)
        .isEmpty();
  }

  /** Another move that concerns the prefix, and has not ended. */
  private Optional<MoveException.Failed> objection(Side side, States states) {
    Optional<Entry> other =
        states.of(key.prefix()).filter(entry -> !entry.id().equals(key.taskUid()));
    Optional<Role> role = other.map(Entry::state);
    boolean isFrom = side == from;
    boolean stops =
        role.filter(
                found ->
                    switch (found) {
                      case Arriving, Frozen -> true;
                      // The prefix comes back to who has left, and leaves where it arrived.
                      case Left -> isFrom;
                      case Arrived -> !isFrom;
                    })
            .isPresent();
    return stops
        ? Optional.of(
            new MoveException.Failed(
                "Store %s is %s to %s by the move %s. End that move first: find the task with this UID with 'kubectl get controlplanetasks -o yaml'."
                    .formatted(side.store(), role.get(), key.prefix(), other.get().id())))
        : Optional.empty();
  }

  /** The second store would lose keys that the first one keeps. */
  private Optional<MoveException.Failed> loss(States there, States here) {
    return there
        .durability()
        .lossIn(here.durability(), key.prefix())
        .map(
            loss ->
                new MoveException.Failed(
                    "Store %s keeps %s with durability %s, and store %s with %s: a failure there could lose them. Set the durability of this prefix in memory.prefixes of store %s, in spec.storage.stores, then create the task again."
                        .formatted(
                            from.store(),
                            loss.prefix(),
                            loss.here(),
                            to.store(),
                            loss.there(),
                            to.store())));
  }

  private void copyAndHandOver() throws MoveException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        MoveCopy copy = copied();
        follow(copy);
        switched(handOver(copy));
        return;
      } catch (MoveException.BeginAgain e) {
        if (attempt == timing.attempts()) {
          throw new MoveException.Failed(
              "The copy began %d times. The last one failed: %s Find out why the store restarts or compacts, then create the task again."
                  .formatted(attempt, e.getMessage()),
              e);
        }
        LOG.infof("the copy of %s begins again: %s", key.prefix(), e.getMessage());
        show(Phase.Copying, 0, 0, 0, "The copy begins again. " + e.getMessage());
      }
    }
  }

  private Duration handOver(MoveCopy copy) throws MoveException, InterruptedException {
    firstServes = false;
    show(Phase.Switching, state.keysCopied(), state.keys(), 0, "Writes wait for the switch.");
    try {
      return switchover.handOver(copy);
    } catch (MoveException e) {
      firstServes = true;
      throw e;
    }
  }

  /** A copy that has all keys; a few are made at once, since each has a page in memory. */
  private MoveCopy copied() throws MoveException, InterruptedException {
    while (!places.tryAcquire()) {
      if (calls.isWished(Wish.WITHDRAW)) {
        throw new MoveException.Withdrawn();
      }
      show(Phase.Copying, 0, 0, 0, "The copy waits for those of other moves. No action is needed.");
      calls.pause(timing.poll());
    }
    try {
      MoveCopy copy = new MoveCopy(key, from, to, calls);
      show(Phase.Copying, 0, 0, 0, "The second store prepares to receive. No action is needed.");
      copy.begin();
      copy.pages((copied, keys) -> show(Phase.Copying, copied, keys, 0, copying(keys)));
      return copy;
    } finally {
      places.release();
    }
  }

  private static String copying(long keys) {
    return "About %d keys are copied. No action is needed.".formatted(keys);
  }

  /** Until somebody asks for the switch, or for the end. */
  private void follow(MoveCopy copy) throws MoveException, InterruptedException {
    long looked = System.nanoTime() - LOOK_NANOS;
    while (!calls.isWished(Wish.SWITCH)) {
      int bytes = copy.round();
      long lag = state.lagRevisions();
      if (System.nanoTime() - looked >= LOOK_NANOS) {
        lag = copy.lag();
        looked = System.nanoTime();
      }
      show(
          Phase.Following,
          state.keysCopied(),
          state.keys(),
          lag,
          "All keys are copied, and changes follow.");
      if (bytes < MANY_BYTES) {
        calls.pause(timing.poll());
      }
    }
  }

  private void takeBack() throws InterruptedException {
    Duration pause = timing.firstPause();
    while (true) {
      try {
        if (!switchover.thaw()) {
          settle();
          return;
        }
        firstServes = serves(calls.insist(from, "GET /moves", StoreMoves::states));
        tell("The move is taken back.");
        if (abandoned()) {
          end(Phase.Abandoned, "The move is taken back: store %s serves.".formatted(from.store()));
          return;
        }
        if (calls.insist(to, "GET /moves", StoreMoves::states).is(Role.Arrived, key)) {
          switched(Duration.ZERO);
          return;
        }
      } catch (RefusedException e) {
        tell(
            "Store %s does not give up %s: %s. Do what this message says; the operator tries again."
                .formatted(to.store(), key.prefix(), MoveCalls.words(e)));
      }
      calls.rest(pause);
      pause = calls.longer(pause);
    }
  }

  /** Whether neither store has a state of this move. */
  private boolean abandoned() throws RefusedException, InterruptedException {
    if (calls.insist(to, "GET /moves", StoreMoves::states).is(Role.Arriving, key)) {
      calls.insistOn(to, "POST /moves/abandon", pages -> pages.abandon(key));
    }
    // A request to freeze may have come later than the thaw.
    return !calls.insist(from, "GET /moves", StoreMoves::states).is(Role.Frozen, key)
        && !calls.insist(to, "GET /moves", StoreMoves::states).is(Role.Arriving, key)
        && !calls.insist(to, "GET /moves", StoreMoves::states).is(Role.Arrived, key);
  }

  /** The end; without a pause if nobody measured that. */
  private void switched(Duration pause) {
    firstServes = false;
    MoveState was = state;
    String waited = pause.isZero() ? "" : " Writes waited for %d ms.".formatted(pause.toMillis());
    state =
        new MoveState(
            Phase.Switched,
            was.keysCopied(),
            was.keys(),
            0,
            pause,
            "Store %s serves.%s".formatted(to.store(), waited),
            false);
    LOG.infof("%s moved from store %s to %s.%s", key.prefix(), from.store(), to.store(), waited);
  }

  private void end(Phase phase, String words) {
    show(phase, state.keysCopied(), state.keys(), 0, words);
    LOG.infof("the move of %s from store %s ended: %s", key.prefix(), from.store(), words);
  }

  private void tell(String words) {
    MoveState was = state;
    state =
        new MoveState(
            was.phase(),
            was.keysCopied(),
            was.keys(),
            was.lagRevisions(),
            was.pause(),
            words,
            firstServes);
  }

  private void show(Phase phase, long copied, long keys, long lag, String words) {
    state = new MoveState(phase, copied, keys, lag, Duration.ZERO, words, firstServes);
  }
}
