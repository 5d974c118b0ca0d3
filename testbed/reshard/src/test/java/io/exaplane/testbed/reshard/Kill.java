// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.reshard.Move.Before;
import io.exaplane.testbed.reshard.Move.Step;
import java.io.IOException;
import java.util.Locale;

/**
 * A process that is ended as SIGKILL does, when a move is about to do a step, and started again.
 *
 * @param victim who
 * @param step before which
 */
record Kill(Victim victim, Step step) {

  /** Who takes part in a move. */
  enum Victim {
    FIRST_STORE,
    SECOND_STORE,
    API_SERVER,
    /** Who carries the move out: another one goes on. */
    PUMP
  }

  /** Moves the Kind from where it is to the other store, with this kill. */
  void during(Bed bed, StorePages pages) throws Exception {
    Store from = bed.from();
    Store to = bed.to();
    Move move = new Move(pages, from, to, bed.route, before(bed, from, to));
    try {
      move.run();
    } catch (PumpKilledException e) {
      resume(bed, pages, from, to);
    } catch (IOException e) {
      // The store is away.
      restart(bed, from, to);
      resume(bed, pages, from, to);
      return;
    }
    restart(bed, from, to);
  }

  private static void resume(Bed bed, StorePages pages, Store from, Store to) throws Exception {
    new Move(pages, from, to, bed.route, Before.NOTHING).resume();
  }

  private Before before(Bed bed, Store from, Store to) {
    return now -> {
      if (now == step) {
        switch (victim) {
          case FIRST_STORE -> from.kill();
          case SECOND_STORE -> to.kill();
          case API_SERVER -> bed.apiServers.getLast().kill();
          case PUMP -> throw new PumpKilledException();
        }
      }
    };
  }

  private void restart(Bed bed, Store from, Store to) throws Exception {
    switch (victim) {
      case FIRST_STORE -> from.start();
      case SECOND_STORE -> to.start();
      case API_SERVER -> bed.apiServers.getLast().start();
      case PUMP -> {
        // Another one is there already.
      }
    }
  }

  /** Of all names of a test's objects. */
  String name() {
    return toString().replace(' ', '-').replace('_', '-');
  }

  @Override
  public String toString() {
    return (victim + " before " + step).toLowerCase(Locale.ROOT);
  }

  /** Nobody carries the move out any more. */
  private static final class PumpKilledException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
