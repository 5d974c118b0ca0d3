// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final int ALL = VirtualShards.COUNT;

  @Test
  void sharesAreEven() {
    int[] owners = Shares.deal(Shares.none(), weights(Map.of(1, 1.0, 2, 1.0, 3, 1.0)));
    assertThat(count(owners, 1)).isBetween(ALL / 3L, ALL / 3L + 1);
    assertThat(count(owners, 2)).isBetween(ALL / 3L, ALL / 3L + 1);
    assertThat(count(owners, 1) + count(owners, 2) + count(owners, 3)).isEqualTo(ALL);
  }

  @Test
  void sharesAreInProportionToWeights() {
    int[] owners = Shares.deal(Shares.none(), weights(Map.of(1, 1.0, 2, 0.25)));
    assertThat(count(owners, 1)).isBetween(4 * ALL / 5L - 1, 4 * ALL / 5L + 1);
  }

  @Test
  void onlyWhatHasToMovesWhenSomebodyComesOrGoes() {
    int[] two = Shares.deal(Shares.none(), weights(Map.of(1, 1.0, 2, 1.0)));
    int[] three = Shares.deal(two, weights(Map.of(1, 1.0, 2, 1.0, 3, 1.0)));
    assertThat(moved(two, three)).isEqualTo(count(three, 3));
    int[] without = Shares.deal(three, weights(Map.of(1, 1.0, 3, 1.0)));
    assertThat(moved(three, without)).isEqualTo(count(three, 2));
    assertThat(Shares.deal(without, weights(Map.of(1, 1.0, 3, 1.0)))).isEqualTo(without);
  }

  @Test
  void nobodyHasAnythingWhereNobodyIs() {
    int[] one = Shares.deal(Shares.none(), weights(Map.of(7, 1.0)));
    assertThat(one).containsOnly(7);
    assertThat(Shares.deal(one, weights(Map.of()))).containsOnly(Shares.NOBODY);
  }

  @Test
  void nodesAreSpreadOverVirtualShards() {
    int[] counts = new int[16];
    for (int i = 0; i < 16_000; i++) {
      counts[VirtualShards.of("node-%05d".formatted(i)) * 16 / ALL]++;
    }
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(1150);
  }

  private static SortedMap<Integer, Double> weights(Map<Integer, Double> weights) {
    return new TreeMap<>(weights);
  }

  private static long count(int[] owners, int member) {
    return Arrays.stream(owners).filter(owner -> owner == member).count();
  }

  private static long moved(int[] before, int[] after) {
    return IntStream.range(0, before.length).filter(i -> before[i] != after[i]).count();
  }
}
