// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class TournamentTreeTest {
  private final TournamentTree tree = new TournamentTree(4);
  private final List<Long> passed = new ArrayList<>();

  @Test
  void anEmptyOnePassesNothing() {
    tree.descend(passed::add);
    assertThat(passed).isEmpty();
    assertThat(tree.largest()).isEqualTo(TournamentTree.NONE);
  }

  @Test
  void endsWhereOneIsEnough() {
    for (int i = 0; i < 4; i++) {
      tree.set(i, 10 * i);
    }
    tree.descend(
        number -> {
          passed.add(number);
          return number > 15;
        });
    assertThat(passed).containsExactly(30L, 20L, 10L);
  }

  @Test
  void passesFromTheLargestDownWhateverHappened() {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    List<Long> numbers = new ArrayList<>();
    while (tree.leaves() < 500) {
      tree.grow();
    }
    for (int i = 0; i < 500; i++) {
      numbers.add((long) random.nextInt(200) - 100);
      tree.set(i, numbers.get(i));
    }
    for (int i = 0; i < 500; i += 3) {
      tree.set(i, TournamentTree.NONE);
      numbers.set(i, TournamentTree.NONE);
    }
    tree.descend(passed::add);
    numbers.removeIf(number -> number == TournamentTree.NONE);
    numbers.sort(Comparator.reverseOrder());
    assertThat(passed).as("seed %d", seed).isEqualTo(numbers);
  }
}
