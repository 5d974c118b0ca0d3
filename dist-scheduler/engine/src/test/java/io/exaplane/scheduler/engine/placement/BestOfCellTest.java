// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parts of a cell taken together, beside all its nodes sorted. */
class BestOfCellTest {
  private static final int ROUNDS = 2000;

  /** A node of a cell and what it is worth. */
  private record Worth(int node, int score, long hash) {
    private static final Comparator<Worth> BEST_FIRST =
        Comparator.comparingInt((Worth worth) -> -worth.score())
            .thenComparingLong(Worth::hash)
            .thenComparingInt(Worth::node);
  }

  private static BestOfCell cell(long signature, int size, List<Worth> named) {
    return new BestOfCell(
        signature,
        size,
        named.stream().mapToInt(Worth::node).toArray(),
        named.stream().mapToInt(Worth::score).toArray(),
        named.stream().mapToLong(Worth::hash).toArray());
  }

  private static List<Worth> named(BestOfCell cell) {
    return IntStream.range(0, cell.nodes().length)
        .mapToObj(i -> new Worth(cell.nodes()[i], cell.scores()[i], cell.hashes()[i]))
        .toList();
  }

  /** Few scores and hashes, so that there are ties of both. */
  private static List<Worth> nodes(int count, Random random) {
    List<Worth> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new Worth(i, random.nextInt(3), random.nextInt(2)));
    }
    Collections.shuffle(nodes, random);
    return nodes;
  }

  private static List<List<Worth>> split(List<Worth> nodes, int parts, Random random) {
    List<List<Worth>> split = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      split.add(new ArrayList<>());
    }
    nodes.forEach(node -> split.get(random.nextInt(parts)).add(node));
    split.removeIf(List::isEmpty);
    split.forEach(part -> part.sort(Worth.BEST_FIRST));
    return split;
  }

  /** The best of all, up to the first that may be worse than one that nobody named. */
  private static List<Worth> best(List<List<Worth>> parts, List<Integer> named, int most) {
    Worth limit = null;
    List<Worth> all = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      List<Worth> part = parts.get(i);
      all.addAll(part.subList(0, named.get(i)));
      if (named.get(i) < part.size()) {
        Worth last = part.get(named.get(i) - 1);
        limit = limit == null || Worth.BEST_FIRST.compare(last, limit) < 0 ? last : limit;
      }
    }
    all.sort(Worth.BEST_FIRST);
    int certain = limit == null ? all.size() : all.indexOf(limit) + 1;
    return all.subList(0, Math.min(most, certain));
  }

  @Test
  void partsTogetherNameTheBestOfAllAsFarAsThatIsCertain() {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<Worth> nodes = nodes(1 + random.nextInt(20), random);
      List<List<Worth>> parts = split(nodes, 1 + random.nextInt(4), random);
      int most = 1 + random.nextInt(12);
      List<Integer> counts = new ArrayList<>();
      List<List<BestOfCell>> told = new ArrayList<>();
      for (List<Worth> part : parts) {
        int count = 1 + random.nextInt(part.size());
        counts.add(count);
        told.add(List.of(cell(7, part.size(), part.subList(0, count))));
      }
      List<BestOfCell> merged = BestOfCell.merge(told, most);
      assertThat(merged).as("seed %d", seed).hasSize(1);
      assertThat(merged.getFirst().signature()).isEqualTo(7);
      assertThat(merged.getFirst().size()).as("seed %d", seed).isEqualTo(nodes.size());
      assertThat(named(merged.getFirst()))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(best(parts, counts, most));
    }
  }

  /** As relays do it: some first, the others later, in any order. */
  @Test
  void inWhicheverOrderAndGroupsTheSameComesOut() {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<List<BestOfCell>> told = new ArrayList<>();
      for (List<Worth> part : split(nodes(30, random), 5, random)) {
        int count = 1 + random.nextInt(part.size());
        told.add(List.of(cell(7, part.size(), part.subList(0, count))));
      }
      int most = 1 + random.nextInt(12);
      BestOfCell atOnce = BestOfCell.merge(told, most).getFirst();
      Collections.shuffle(told, random);
      int first = 1 + random.nextInt(told.size());
      List<List<BestOfCell>> groups = new ArrayList<>(told.subList(first, told.size()));
      groups.add(BestOfCell.merge(told.subList(0, first), most));
      BestOfCell inGroups = BestOfCell.merge(groups, most).getFirst();
      assertThat(named(inGroups)).as("seed %d, round %d", seed, round).isEqualTo(named(atOnce));
      assertThat(inGroups.size()).isEqualTo(atOnce.size());
    }
  }

  @Test
  void cellsThatAreNotAlikeStayApartInTheOrderOfTheirFirst() {
    BestOfCell one = cell(1, 3, List.of(new Worth(4, 9, 1)));
    BestOfCell two = cell(2, 1, List.of(new Worth(5, 9, 1)));
    BestOfCell more = cell(1, 1, List.of(new Worth(6, 9, 2)));
    List<BestOfCell> merged = BestOfCell.merge(List.of(List.of(two), List.of(one, more)), 5);
    assertThat(merged.stream().map(BestOfCell::signature)).containsExactly(2L, 1L);
    assertThat(merged.getLast().size()).isEqualTo(4);
    assertThat(merged.getLast().nodes()).as("what follows it may be worse").containsExactly(4);
  }
}
