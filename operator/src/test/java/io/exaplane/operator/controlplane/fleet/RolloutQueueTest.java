// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.RolloutTurn.State;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fleet that changes, an operator that lets a few roll at a time, and its successors. */
class RolloutQueueTest {
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final Wish CHANGE = new Wish(true, true, true, true, false, false, false);
  private static final Wish LACKS = new Wish(true, false, true, false, false, false, false);
  private static final Wish ROLLS = new Wish(true, false, true, false, false, true, false);
  private static final Wish RESUMES = new Wish(true, false, true, false, false, true, true);
  private static final Wish STUCK = new Wish(true, false, true, false, true, true, false);
  private static final Wish SETTLED = new Wish(true, false, true, true, false, false, false);

  private final Map<String, ControlPlane> fleet = new LinkedHashMap<>();
  private final List<String> called = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-01T00:00:00Z");
  private RolloutQueue queue = leader(2);

  private RolloutQueue leader(int most) {
    return new RolloutQueue(most, LIMIT, new Now(), (ResourceID id) -> called.add(id.getName()));
  }

  private final class Now extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private void make(int count) {
    for (int i = 0; i < count; i++) {
      ControlPlane one = new ControlPlane();
      String name = "c%03d".formatted(i);
      one.setMetadata(
          new ObjectMetaBuilder().withName(name).withNamespace("ns").withUid("uid-" + i).build());
      fleet.put(name, one);
      write(one, null);
    }
  }

  private static void write(ControlPlane one, RolloutTurn place) {
    one.setStatus(
        new ControlPlaneStatus(
                1L, null, null, null, null, null, null, null, null, null, null, null, List.of())
            .withTurn(place));
  }

  /** A pass that writes its status. */
  private Turn pass(String name, Wish wish) {
    ControlPlane one = fleet.get(name);
    Turn turn = queue.next(one, wish, () -> List.copyOf(fleet.values()));
    write(one, turn.place());
    now = now.plusSeconds(1);
    return turn;
  }

  private State state(String name) {
    RolloutTurn place = fleet.get(name).getStatus().turn();
    return place == null ? null : place.state();
  }

  private List<String> in(State state) {
    return fleet.keySet().stream().filter(name -> state(name) == state).toList();
  }

  @Test
  void aPlaceIsWrittenBeforePodsAreReplaced() {
    make(1);
    Turn granted = pass("c000", CHANGE);
    assertThat(granted.place().state()).isEqualTo(State.Rolling);
    assertThat(granted.mayReplace()).as("the next leader would not know of it").isFalse();
    assertThat(granted.nextLook()).contains(Duration.ofMillis(1));
    assertThat(pass("c000", CHANGE).mayReplace()).isTrue();
  }

  @Test
  void theOldestComesNextWhenOneIsDone() {
    make(5);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    assertThat(in(State.Rolling)).containsExactly("c000", "c001");
    assertThat(in(State.Waiting)).containsExactly("c002", "c003", "c004");
    assertThat(fleet.get("c004").getStatus().turn().position()).isEqualTo(3);
    assertThat(fleet.get("c004").getStatus().turn().atOnce()).as("the limit").isEqualTo(2);
    assertThat(pass("c004", CHANGE).mayReplace()).as("it does not overtake").isFalse();
    pass("c000", ROLLS);
    assertThat(called).isEmpty();
    pass("c000", SETTLED);
    assertThat(state("c000")).isNull();
    assertThat(called).containsExactly("c002");
    assertThat(pass("c003", CHANGE).place().state()).isEqualTo(State.Waiting);
    assertThat(pass("c002", CHANGE).place().state()).isEqualTo(State.Rolling);
    assertThat(in(State.Rolling)).containsExactly("c001", "c002");
  }

  @Test
  void oneThatIsStuckOrTakesTooLongLeavesItsPlaceAndGoesOn() {
    make(5);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    assertThat(pass("c000", STUCK).place().state()).isEqualTo(State.OutOfTurn);
    assertThat(called).containsExactly("c002");
    assertThat(pass("c002", CHANGE).place().state()).isEqualTo(State.Rolling);
    assertThat(pass("c000", CHANGE).mayReplace()).as("what mends it does not wait").isTrue();
    // Its operator never looks at c001 again; others see by the time.
    now = now.plus(LIMIT);
    assertThat(pass("c003", CHANGE).place().state()).isEqualTo(State.Rolling);
    assertThat(pass("c001", ROLLS).place().state()).isEqualTo(State.OutOfTurn);
    pass("c000", SETTLED);
    pass("c001", SETTLED);
    assertThat(state("c000")).isNull();
    assertThat(state("c001")).isNull();
  }

  @Test
  void theNextLeaderGoesOnWithTheSamePlaces() {
    make(6);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    queue = leader(2);
    for (String name : List.of("c005", "c004", "c003", "c002")) {
      assertThat(pass(name, CHANGE).place().state()).as(name).isEqualTo(State.Waiting);
    }
    assertThat(pass("c000", CHANGE).mayReplace()).isTrue();
    pass("c001", SETTLED);
    assertThat(called).containsExactly("c002");
  }

  @Test
  void nobodyWaitsForOneThatDoesNotCome() {
    make(4);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    pass("c000", SETTLED);
    assertThat(called).containsExactly("c002");
    assertThat(pass("c003", CHANGE).place().state()).isEqualTo(State.Waiting);
    now = now.plusSeconds(31);
    assertThat(pass("c003", CHANGE).place().state()).isEqualTo(State.Rolling);
    assertThat(pass("c002", CHANGE).place().state())
        .as("it has come late")
        .isEqualTo(State.Waiting);
  }

  @Test
  void oneThatGoesOrIsPausedGivesItsPlaceFree() {
    make(5);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    ControlPlane gone = fleet.get("c000");
    gone.getMetadata().setDeletionTimestamp("2026-11-01T00:00:00Z");
    queue.forget(gone, () -> List.copyOf(fleet.values()));
    assertThat(called).containsExactly("c002");
    write(fleet.get("c002"), queue.held(fleet.get("c002")));
    assertThat(state("c002")).as("paused while it waits").isNull();
    assertThat(pass("c003", CHANGE).place().state()).isEqualTo(State.Rolling);
    assertThat(queue.held(fleet.get("c001")).state()).as("half done").isEqualTo(State.Rolling);
  }

  @Test
  void aCreationAndOneThatDoesNotServeDoNotWait() {
    make(4);
    pass("c000", CHANGE);
    pass("c001", CHANGE);
    Turn creation = pass("c002", new Wish(false, true, true, false, false, true, false));
    assertThat(creation.place()).isNull();
    assertThat(creation.mayReplace()).isTrue();
    pass("c003", new Wish(true, true, false, false, false, true, false));
    assertThat(state("c003")).isEqualTo(State.OutOfTurn);
    assertThat(pass("c003", CHANGE).mayReplace()).isTrue();
    Turn restarts = pass("c002", LACKS);
    assertThat(restarts.place()).as("pods that came back without a change").isNull();
  }

  /** Of an operator that knew no turns, of a person with kubectl, or of an override. */
  @Test
  void oneThatRollsAlreadyIsCountedWithoutWaiting() {
    make(5);
    pass("c000", ROLLS);
    assertThat(state("c000")).isEqualTo(State.Rolling);
    pass("c001", CHANGE);
    assertThat(pass("c002", CHANGE).place().state())
        .as("one place was taken")
        .isEqualTo(State.Waiting);
    assertThat(pass("c003", STUCK).place().state()).isEqualTo(State.OutOfTurn);
    RolloutTurn resumed = pass("c003", RESUMES).place();
    assertThat(resumed.state()).isEqualTo(State.Rolling);
    assertThat(pass("c003", RESUMES).place()).as("dated once").isEqualTo(resumed);
    assertThat(pass("c003", ROLLS).place()).isEqualTo(resumed);
    pass("c000", SETTLED);
    assertThat(pass("c002", CHANGE).place().state()).as("two roll").isEqualTo(State.Waiting);
    pass("c003", SETTLED);
    assertThat(pass("c002", CHANGE).place().state()).isEqualTo(State.Rolling);
  }

  @Test
  void oneThatTakesItsChangeBackWaitsNoLonger() {
    make(3);
    fleet.keySet().forEach(name -> pass(name, CHANGE));
    assertThat(pass("c002", SETTLED).place()).isNull();
    assertThat(pass("c002", SETTLED).nextLook()).isEmpty();
  }

  /** Whatever comes in between, no more roll at once, and all have rolled in the end. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aFleetRollsFewAtOnceAndEachInTheEnd(long seed) {
    Random random = new Random(seed);
    int most = 1 + random.nextInt(4);
    queue = leader(most);
    make(30);
    List<String> names = List.copyOf(fleet.keySet());
    Map<String, Integer> left = new TreeMap<>();
    names.forEach(name -> left.put(name, 1 + random.nextInt(4)));
    for (int step = 0; !left.isEmpty(); step++) {
      assertThat(step).as("steps").isLessThan(20_000);
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(50) == 0) {
        queue = leader(most);
      }
      boolean begins = left.containsKey(name) && state(name) != State.Rolling;
      Turn turn = pass(name, begins ? CHANGE : left.containsKey(name) ? ROLLS : SETTLED);
      if (!begins
          && turn.place() != null
          && turn.mayReplace()
          && left.merge(name, -1, Integer::sum) == 0) {
        left.remove(name);
      }
      assertThat(in(State.Rolling)).as("seed %d", seed).hasSizeLessThanOrEqualTo(most);
      now = now.plusSeconds(random.nextInt(3));
    }
    names.forEach(name -> pass(name, SETTLED));
    assertThat(in(State.Waiting)).isEmpty();
    assertThat(in(State.Rolling)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,1", "9,9", "10,10", "11,20", "20,20", "21,30", "100,100", "101,200", "1000,1000"})
  void placesFarBehindAreRounded(int place, int told) {
    assertThat(Places.told(place)).isEqualTo(told);
  }

  @Test
  void settingsThatNobodyCanCarryOutAreRefused() {
    assertThatThrownBy(() -> leader(0))
        .hasMessageContaining("EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS")
        .hasMessageContaining("is 0");
    assertThatThrownBy(() -> new RolloutQueue(1, Duration.ZERO, new Now(), _ -> {}))
        .hasMessageContaining("EXAPLANE_FLEET_ROLLOUT_LIMIT");
  }
}
