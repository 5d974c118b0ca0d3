// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.testbed.reshard.Move.Step;
import io.exaplane.testbed.reshard.Tally.Conflict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A move of a bed's Kind while clients write it, and what must hold after it. One thread. */
final class Round {
  /** Writes of all clients together. */
  static final int PER_SECOND = 300;

  /** For which the operator lets writes wait, by its own figure. */
  private static final Duration MOST_FREEZE = Duration.ofSeconds(5);

  /** What a client sees of that: a busy machine adds to it, and what fails never ends. */
  private static final Duration MOST_PAUSE = Duration.ofSeconds(30);

  private static final Duration LOADED = Duration.ofSeconds(3);
  private static final int CLIENTS = 24;

  /** Of rounds that are about somebody's end. */
  private static final int FEW_CLIENTS = 12;

  private static final int FEW_PER_SECOND = 100;
  private static final Duration SHORT = Duration.ofSeconds(2);

  private Round() {}

  /** Nobody is killed: clients see a pause, and no error but conflicts that the move explains. */
  static void quiet(Bed bed, String name, int perSecond) throws Exception {
    Load load = bed.load(name, CLIENTS * Math.ceilDiv(perSecond, PER_SECOND), perSecond);
    List<Heartbeat> hearts = new ArrayList<>();
    for (ApiServer server : bed.apiServers) {
      hearts.add(Heartbeat.start(server, "heart-%s-%d".formatted(name, hearts.size())));
    }
    load.awaitWrites(LOADED);
    load.tally.writes.begin();
    hearts.forEach(heart -> heart.pauses.begin());
    try (Move move = bed.move((_, _) -> {})) {
      MoveState state = move.run();
      System.out.printf("%s: %s to %s: %s%n", name, move.from(), move.to(), state.words());
      assertThat(state.pause())
          .as("writes wait, measured")
          .isPositive()
          .isLessThanOrEqualTo(MOST_FREEZE);
      load.awaitWrites(LOADED);
      move.checkArrived();
      move.clear();
    }
    Duration pause = load.tally.writes.longestGap();
    Duration wait = load.tally.writes.longestWait();
    System.out.printf("%s: %s%n", name, load.tally);
    load.stop();
    for (Heartbeat heart : hearts) {
      System.out.printf("%s: other Kinds: %s%n", name, heart.pauses);
      heart.stop();
      assertThat(heart.failures()).isEmpty();
    }
    check(bed, load);
    System.out.printf("%s: informers: %s%n", name, bed.informers());
    assertThat(load.tally.doubts()).as(load.tally.toString()).isZero();
    assertThat(pause).isLessThanOrEqualTo(MOST_PAUSE);
    assertThat(wait).isLessThanOrEqualTo(MOST_PAUSE);
  }

  /** Writes wait already when all is taken back, and clients see nothing else of it. */
  static void takenBack(Bed bed, String name) throws Exception {
    Load load = bed.load(name, FEW_CLIENTS, FEW_PER_SECOND);
    try (Move move =
        bed.move(
            (step, moving) -> {
              if (step == Step.FREEZE) {
                moving.withdraw();
              }
            })) {
      assertThat(move.run().phase()).isEqualTo(Phase.Abandoned);
      move.checkTakenBack();
    }
    load.awaitWrites(SHORT);
    load.stop();
    System.out.printf("%s: %s%n", name, load.tally);
    check(bed, load);
    assertThat(load.tally.doubts()).as(load.tally.toString()).isZero();
    assertThat(load.tally.conflicts(Conflict.MOVED)).isZero();
  }

  /** Somebody is killed: requests may fail, and nothing that was acknowledged is lost. */
  static void with(Bed bed, Kill kill) throws Exception {
    Load load = bed.load(kill.name(), FEW_CLIENTS, FEW_PER_SECOND);
    try (Move move = bed.move((step, moving) -> kill.before(step, bed, moving))) {
      move.run();
      kill.awaitStart();
      move.checkArrived();
    }
    load.awaitWrites(SHORT);
    load.stop();
    System.out.printf("%s: %s%n", kill, load.tally);
    check(bed, load);
  }

  private static void check(Bed bed, Load load) throws Exception {
    load.check();
    bed.checkInformers();
    assertThat(load.tally.conflicts(Conflict.BASELESS)).isZero();
  }
}
