// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SightingsTest {
  private final Sightings sightings = new Sightings();

  @BeforeEach
  void list() {
    sightings.listed(10, Map.of("a", 5L));
  }

  @Test
  void changesInOrderAreRight() {
    sightings.changed("b", 11);
    sightings.changed("a", 14);
    sightings.deleted("b", 15);
    sightings.bookmarked(15);
    sightings.bookmarked(20);
    sightings.acknowledged("b", 11);
    sightings.acknowledged("a", 14);
    assertThat(sightings.problems()).isEmpty();
    assertThat(sightings.last()).isEqualTo(20);
    assertThat(sightings.differences(Map.of("a", 14L))).isEmpty();
  }

  @Test
  void aRevisionThatGoesBackIsFound() {
    sightings.changed("a", 14);
    sightings.changed("b", 13);
    assertThat(sightings.problems()).containsExactly("b at 13 was told after 14");
  }

  @Test
  void aChangeThatIsToldTwiceIsFound() {
    sightings.changed("a", 14);
    sightings.changed("a", 14);
    assertThat(sightings.problems()).hasSize(1);
  }

  @Test
  void aListOfThePastIsFound() {
    sightings.changed("a", 14);
    sightings.listed(13, Map.of());
    assertThat(sightings.problems()).containsExactly("a LIST has revision 13 after 14 was seen");
  }

  @Test
  void anAcknowledgedChangeThatIsNotToldIsFound() {
    sightings.acknowledged("b", 12);
    assertThat(sightings.problems()).as("it may still come").isEmpty();
    sightings.changed("a", 14);
    assertThat(sightings.problems()).containsExactly("the change of b at 12 was not told");
  }

  @Test
  void whatHappenedBetweenALostWatchAndAListNeedNotBeTold() {
    sightings.changed("a", 14);
    sightings.acknowledged("b", 16);
    sightings.listed(20, Map.of("a", 14L, "b", 16L));
    sightings.changed("a", 22);
    assertThat(sightings.problems()).isEmpty();
    assertThat(sightings.lists()).isEqualTo(2);
    sightings.acknowledged("c", 21);
    assertThat(sightings.problems()).containsExactly("the change of c at 21 was not told");
  }

  @Test
  void aViewThatDiffersFromAListIsTold() {
    sightings.changed("b", 11);
    assertThat(sightings.differences(Map.of("a", 5L)))
        .containsExactly("b is at 0, and was told at 11 (0: not there)");
    assertThat(sightings.differences(Map.of("a", 6L, "b", 11L))).hasSize(1);
  }
}
