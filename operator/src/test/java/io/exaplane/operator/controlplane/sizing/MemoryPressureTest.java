// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When memory is said to fill up, and when no more. */
class MemoryPressureTest {
  private static final Quantity LIMIT = new Quantity("1000Mi");
  private static final long MIB = 1 << 20;

  private static Optional<MemoryPressure> look(
      Optional<MemoryPressure> before, long residentMib, long liveMib) {
    return MemoryPressure.next(before, "p", LIMIT, residentMib * MIB, liveMib * MIB);
  }

  @ParameterizedTest
  @CsvSource({
    // resident, live heap: whether it begins | goes on
    "849, 700, false, true",
    "850, 649, false, true",
    "850, 650, true,  true",
    "990, 400, false, false",
    "300, 100, false, false",
    "990, 549, false, false",
    "700, 550, false, true",
  })
  void itBeginsByBothMeasuresAndEndsBelowWhereItBegan(
      long resident, long live, boolean begins, boolean goesOn) {
    assertThat(look(Optional.empty(), resident, live).isPresent()).isEqualTo(begins);
    Optional<MemoryPressure> before = look(Optional.empty(), 900, 700);
    assertThat(look(before, resident, live)).isEqualTo(goesOn ? before : Optional.empty());
  }

  /** A heap that goes up and down around the threshold is told once. */
  @Test
  void numbersThatMoveChangeNothing() {
    Random random = new Random(28);
    Optional<MemoryPressure> first = look(Optional.empty(), 851, 651);
    Optional<MemoryPressure> now = first;
    for (int i = 0; i < 10_000; i++) {
      now = look(now, 840 + random.nextInt(60), 600 + random.nextInt(100));
      assertThat(now).isEqualTo(first);
    }
  }

  @Test
  void anotherLimitIsAnotherStory() {
    Optional<MemoryPressure> before = look(Optional.empty(), 900, 700);
    assertThat(MemoryPressure.next(before, "p", new Quantity("2000Mi"), 900 * MIB, 700 * MIB))
        .isEmpty();
  }

  @Test
  void ofManyTheLargestLimitCountsAndOfEqualOnesTheKill() {
    OutOfMemory killed = new OutOfMemory("a", "t", Optional.of(LIMIT));
    MemoryPressure same = new MemoryPressure("b", Optional.of(LIMIT), 1, 1);
    MemoryPressure larger = new MemoryPressure("c", Optional.of(new Quantity("2Gi")), 1, 1);
    assertThat(MemoryShortage.worst(Optional.empty(), List.of())).isEmpty();
    assertThat(MemoryShortage.worst(Optional.of(killed), List.of(same))).contains(killed);
    assertThat(MemoryShortage.worst(Optional.of(killed), List.of(same, larger))).contains(larger);
    assertThat(MemoryShortage.worst(Optional.empty(), List.of(same))).contains(same);
  }
}
