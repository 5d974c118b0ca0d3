// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets a place when there is none left (7., line 7). */
class PlacesTest {
  private final List<String> closed = new ArrayList<>();
  private long now;
  private int crowded;
  private final Places places =
      new Places("test", new Places.Limits(4, 3, "in a test"), () -> now++);

  private Place take(String source, String name) {
    return places.take(source, () -> closed.add(name), () -> crowded++);
  }

  @Test
  void theLongestIdleOfTheSameSourceMakesRoom() {
    take("a", "a1");
    Place second = take("a", "a2");
    take("a", "a3");
    second.busy();
    assertThat(take("a", "a4")).isNotNull();
    assertThat(closed).containsExactly("a1");
    second.idle();
    take("a", "a5");
    take("a", "a6");
    assertThat(closed).as("idle again, for the shortest time").containsExactly("a1", "a3", "a4");
    assertThat(crowded).as("told of the source").isEqualTo(3);
  }

  @Test
  void whoHasMostMakesRoomForOthers() {
    take("a", "a1");
    take("b", "b1");
    take("b", "b2");
    take("b", "b3");
    assertThat(take("c", "c1")).isNotNull();
    assertThat(closed).containsExactly("b1");
    assertThat(places.statistics().taken()).isEqualTo(4);
    assertThat(places.statistics().displaced()).isOne();
  }

  @Test
  void ifNobodyIsIdleTheNewOneIsRefused() {
    for (int i = 0; i < 4; i++) {
      take("s" + i, "").busy();
    }
    assertThat(take("t", "t")).isNull();
    assertThat(closed).isEmpty();
    assertThat(places.statistics().refused()).isOne();
  }

  @Test
  void aPlaceThatIsLeftIsFreeOnce() {
    Place first = take("a", "a1");
    places.leave(first);
    places.leave(first);
    assertThat(places.statistics().taken()).isZero();
  }
}
