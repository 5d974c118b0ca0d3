// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.testbed.reshard.Move.Step;
import java.io.IOException;
import java.nio.file.Path;
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
  private static final int PER_SECOND = Round.PER_SECOND;
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
    Round.quiet(bed, "there", PER_SECOND);
  }

  @Test
  @Order(2)
  void theWayBackIsTheSame() throws Exception {
    Round.quiet(bed, "back", PER_SECOND);
  }

  /** Until the store leaves, all can be as it was. */
  @Test
  @Order(3)
  void aMoveIsTakenBack() throws Exception {
    Round.takenBack(bed, "taken-back");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("usual")
  @Order(4)
  void whoIsKilledLosesNothing(Kill kill) throws Exception {
    Round.with(bed, kill);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  @Order(5)
  @Tag("long")
  void whoIsKilledAtAnyStepLosesNothing(Kill kill) throws Exception {
    Round.with(bed, kill);
  }

  @Test
  @Order(6)
  @Tag("long")
  void twoThousandWritesASecond() throws Exception {
    Round.quiet(bed, "fast", 2_000);
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
    // Nobody carries a move out that is done.
    all.remove(new Kill(Kill.Victim.OPERATOR, Step.DONE));
    return all.stream();
  }
}
