// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.root.Window.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowTest {
  @Test
  void thoseAlikeAreTogetherInTheOrderOfTheirFirst() {
    assertThat(
            Window.order(
                List.of(
                    turn(0, "b", "1"), turn(0, "a", "2"), turn(0, "b", "3"), turn(0, "a", "4"))))
        .containsExactly(List.of("1", "3"), List.of("2", "4"));
  }

  @Test
  void whoIsForItselfStaysWhereItIs() {
    assertThat(
            Window.order(
                List.of(
                    turn(0, "a", "1"), turn(0, null, "2"), turn(0, null, "3"), turn(0, "a", "4"))))
        .containsExactly(List.of("1", "4"), List.of("2"), List.of("3"));
  }

  @Test
  void nobodyPassesMoreImportantOnes() {
    assertThat(
            Window.order(
                List.of(
                    turn(9, "a", "1"), turn(5, "a", "2"), turn(5, "b", "3"), turn(5, "a", "4"))))
        .containsExactly(List.of("1"), List.of("2", "4"), List.of("3"));
    assertThat(Window.order(List.of(turn(5, "a", "1"), turn(9, "b", "2"), turn(5, "a", "3"))))
        .containsExactly(List.of("1"), List.of("2"), List.of("3"));
  }

  private static Turn<String> turn(int priority, Object alike, String what) {
    return new Turn<>(priority, alike, what);
  }
}
