// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepwiseSortTest {
  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** By their upper parts, so that many are equal, whose order must stay. */
  @ParameterizedTest
  @MethodSource("seeds")
  void sortsAsTheJdkDoesHoweverOftenItIsLeft(long seed) {
    Random random = new Random(seed);
    long[] items = random.longs(random.nextInt(70), 0, 1000).toArray();
    Long[] expected = LongStream.of(items).boxed().toArray(Long[]::new);
    Arrays.sort(expected, Comparator.comparingLong(item -> item / 100));
    StepwiseSort sort = new StepwiseSort(items, (a, b) -> Long.compare(a / 100, b / 100));
    int steps = 0;
    while (!sort.goOn(1 + random.nextInt(5))) {
      steps++;
      assertThat(steps).isLessThan(70 * 8);
    }
    assertThat(sort.items()).containsExactly(Arrays.stream(expected).mapToLong(i -> i).toArray());
  }
}
