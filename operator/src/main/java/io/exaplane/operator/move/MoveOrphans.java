// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveCalls.Wish;
import io.exaplane.operator.move.StoreMoves.Entry;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.move.StoreMoves.Role;
import io.exaplane.operator.move.StoreMoves.States;
import java.io.IOException;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Ends what tasks that no longer exist left in the two stores of a move: nobody else would. Such a
 * task lost its finalizer, or a store came back with a volume of before. Used by one thread.
 */
final class MoveOrphans {
  private static final Logger LOG = Logger.getLogger(MoveOrphans.class);

  /** The tasks that exist. */
  interface Tasks {
    /**
     * Whether there is a task; asks the API server, and no cache.
     *
     * @throws IOException if it does not answer
     */
    boolean exists(String uid) throws IOException;
  }

  private final MoveKey key;
  private final Side from;
  private final Side to;
  private final MoveCalls calls;
  private final MoveCalls.Teller teller;
  private final MoveTiming timing;
  private final Tasks tasks;

  MoveOrphans(
      MoveKey key,
      Side from,
      Side to,
      MoveCalls calls,
      MoveCalls.Teller teller,
      MoveTiming timing,
      Tasks tasks) {
    this.key = key;
    this.from = from;
    this.to = to;
    this.calls = calls;
    this.teller = teller;
    this.timing = timing;
    this.tasks = tasks;
  }

  /**
   * Thaws what is frozen in either store, of any prefix, and abandons what the second one receives
   * of this prefix. Not if the first one has left for that: it would be in no store then.
   *
   * @return whether a store changed
   */
  boolean end(States there, States here)
      throws MoveException, RefusedException, InterruptedException {
    boolean changed = thaw(from, there) | thaw(to, here);
    Optional<Entry> arriving = foreign(here, Role.Arriving);
    if (arriving.isPresent() && unfinished(there, here).isEmpty() && isGone(arriving.get())) {
      MoveKey found = new MoveKey(arriving.get().id(), key.prefix());
      LOG.infof("store %s gives %s of a task without an object up", to.store(), found);
      calls.order(to, "POST /moves/abandon", pages -> pages.abandon(found));
      return true;
    }
    return changed;
  }

  /** The same move of before, which the first store has left, and nobody wrote the route. */
  Optional<MoveKey> leftBehind(States there, States here)
      throws MoveException, InterruptedException {
    Optional<Entry> left = unfinished(there, here);
    return left.isPresent() && isGone(left.get())
        ? Optional.of(new MoveKey(left.get().id(), key.prefix()))
        : Optional.empty();
  }

  private Optional<Entry> unfinished(States there, States here) {
    return foreign(there, Role.Left)
        .filter(
            left ->
                here.of(key.prefix())
                    .filter(entry -> entry.id().equals(left.id()))
                    .filter(
                        entry -> entry.state() == Role.Arriving || entry.state() == Role.Arrived)
                    .isPresent());
  }

  private Optional<Entry> foreign(States states, Role role) {
    return states
        .of(key.prefix())
        .filter(entry -> entry.state() == role && !entry.id().equals(key.taskUid()));
  }

  private boolean thaw(Side side, States states)
      throws MoveException, RefusedException, InterruptedException {
    boolean changed = false;
    for (Entry entry : states.moves()) {
      if (entry.state() == Role.Frozen && !entry.id().equals(key.taskUid()) && isGone(entry)) {
        MoveKey found = new MoveKey(entry.id(), entry.prefix());
        LOG.infof("store %s thaws %s of a task without an object", side.store(), found);
        calls.order(side, "POST /moves/thaw", pages -> pages.thaw(found));
        changed = true;
      }
    }
    return changed;
  }

  private boolean isGone(Entry entry) throws MoveException, InterruptedException {
    while (true) {
      try {
        return !tasks.exists(entry.id());
      } catch (IOException e) {
        teller.tell(
            "The API server does not say whether a task has the UID %s. The operator asks again. No action is needed."
                .formatted(entry.id()));
      }
      if (calls.isWished(Wish.WITHDRAW)) {
        throw new MoveException.Withdrawn();
      }
      calls.pause(timing.longestPause());
    }
  }
}
