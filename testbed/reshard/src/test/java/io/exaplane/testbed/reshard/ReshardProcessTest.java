// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.testbed.reshard.Move.Step;
import io.exaplane.testbed.reshard.Tally.Conflict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leases move between two stores while clients of two kube-apiservers write them. Every test moves
 * them from the store that has them to the other one, so each begins where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReshardProcessTest {
  private static final Duration MOST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LOADED = Duration.ofSeconds(4);
  private static final int CLIENTS = 24;
  private static final int PER_SECOND = 300;
  private static final int OBJECTS = 800;
  private static final int PADDING_BYTES = 6_000;

  @TempDir static Path folder;
  private static Bed bed;

  @BeforeAll
  static void start() throws Exception {
    bed = Bed.start(Kind.LEASES, folder, OBJECTS, PADDING_BYTES);
  }

  @AfterAll
  static void end() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  @Order(1)
  void clientsSeeAPauseAndNoError() throws Exception {
    moved("there", PER_SECOND);
  }

  @Test
  @Order(2)
  void theWayBackIsTheSame() throws Exception {
    moved("back", PER_SECOND);
  }

  /** Until the store leaves, all can be as it was. */
  @Test
  @Order(3)
  void aMoveIsTakenBack() throws Exception {
    Load load = bed.load("taken-back", CLIENTS, PER_SECOND);
    try (Move move =
        bed.move(
            (step, moving) -> {
              if (step == Step.SUM) {
                moving.withdraw();
              }
            })) {
      assertThat(move.run().phase()).isEqualTo(Phase.Abandoned);
      move.checkForgotten();
    }
    goOn(load);
    load.stop();
    load.check();
    assertThat(load.tally.doubts()).as(load.tally.toString()).isZero();
    bed.checkInformers();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("usual")
  @Order(4)
  void whoIsKilledLosesNothing(Kill kill) throws Exception {
    killed(kill);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  @Order(5)
  @Tag("long")
  void whoIsKilledAtAnyStepLosesNothing(Kill kill) throws Exception {
    killed(kill);
  }

  @Test
  @Order(6)
  @Tag("long")
  void twoThousandWritesASecond() throws Exception {
    moved("fast", 2_000);
  }

  static List<Kill> usual() {
    return List.of(
        new Kill(Kill.Victim.SECOND_STORE, Step.COPY),
        new Kill(Kill.Victim.FIRST_STORE, Step.LEAVE),
        new Kill(Kill.Victim.OPERATOR, Step.FINISH),
        new Kill(Kill.Victim.API_SERVER, Step.FREEZE));
  }

  static Stream<Kill> others() {
    List<Kill> all = new ArrayList<>();
    for (Kill.Victim victim : Kill.Victim.values()) {
      for (Step step : Step.values()) {
        all.add(new Kill(victim, step));
      }
    }
    all.removeAll(usual());
    return all.stream();
  }

  private static void moved(String name, int perSecond) throws Exception {
    Load load = bed.load(name, CLIENTS * Math.ceilDiv(perSecond, PER_SECOND), perSecond);
    List<Heartbeat> hearts = new ArrayList<>();
    for (ApiServer server : bed.apiServers) {
      hearts.add(Heartbeat.start(server, "heart-%s-%d".formatted(name, hearts.size())));
    }
    goOn(load);
    load.tally.writes.begin();
    hearts.forEach(heart -> heart.pauses.begin());
    try (Move move = bed.move((_, _) -> {})) {
      MoveState state = move.run();
      System.out.printf("%s: %s to %s: %s%n", name, move.from(), move.to(), state.words());
      goOn(load);
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
    load.check();
    bed.checkInformers();
    System.out.printf("%s: informers: %s%n", name, bed.informers());
    assertThat(load.tally.doubts()).as(load.tally.toString()).isZero();
    assertThat(load.tally.conflicts(Conflict.BASELESS)).isZero();
    assertThat(pause).isLessThanOrEqualTo(MOST_PAUSE);
    assertThat(wait).isLessThanOrEqualTo(MOST_PAUSE);
  }

  /** Lets the clients work for a while. */
  private static void goOn(Load load) throws InterruptedException {
    load.awaitWrites(LOADED);
  }

  private static void killed(Kill kill) throws Exception {
    Load load = bed.load(kill.name(), CLIENTS, PER_SECOND);
    try (Move move = bed.move((step, moving) -> kill.before(step, bed, moving))) {
      move.run();
      kill.awaitStart();
      move.checkArrived();
    }
    goOn(load);
    load.stop();
    System.out.printf("%s: %s%n", kill, load.tally);
    load.check();
    bed.checkInformers();
  }
}
