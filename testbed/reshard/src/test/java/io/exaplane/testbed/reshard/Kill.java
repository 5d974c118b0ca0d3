// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.reshard.Move.Step;
import java.util.Locale;

/**
 * A process that is ended as SIGKILL does, when a move is about to do a step, and started again at
 * once. Used by one thread.
 */
final class Kill {
  /** Who takes part in a move. */
  enum Victim {
    FIRST_STORE,
    SECOND_STORE,
    API_SERVER,
    /** Who carries the move out: another one goes on. */
    OPERATOR
  }

  private final Victim victim;
  private final Step step;
  private Thread starting;
  private volatile Exception failure;

  Kill(Victim victim, Step step) {
    this.victim = victim;
    this.step = step;
  }

  /** Does it if the time has come. */
  void before(Step now, Bed bed, Move move) {
    if (now == step) {
      switch (victim) {
        case FIRST_STORE -> restart(move.from()::kill, move.from()::start);
        case SECOND_STORE -> restart(move.to()::kill, move.to()::start);
        case API_SERVER -> {
          ApiServer server = bed.apiServers.getLast();
          restart(server::kill, server::start);
        }
        case OPERATOR -> move.kill();
      }
    }
  }

  private void restart(Runnable kill, Start start) {
    kill.run();
    starting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    start.start();
                  } catch (Exception e) {
                    failure = e;
                  }
                });
  }

  /** Waits until the killed one serves again. */
  void awaitStart() throws Exception {
    if (starting != null) {
      starting.join();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Of all names of a test's objects. */
  String name() {
    return toString().replaceAll("[ _]", "-");
  }

  @Override
  public String toString() {
    return (victim + " before " + step).toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Kill kill && kill.victim == victim && kill.step == step;
  }

  @Override
  public int hashCode() {
    return victim.hashCode() * 31 + step.hashCode();
  }

  /** Starts a process again. */
  private interface Start {
    void start() throws Exception;
  }
}
