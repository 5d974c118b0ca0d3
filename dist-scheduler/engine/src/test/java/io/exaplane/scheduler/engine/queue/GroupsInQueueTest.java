// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.QueuedPod.Place;
import io.exaplane.scheduler.engine.scenario.Gangs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods of a group have their turn together. */
class GroupsInQueueTest {
  private static final long SECOND = QueueBed.SECOND;

  private final Profile profile = Gangs.profile();
  private final QueueBed bed = QueueBed.of(profile);
  private final Cluster cluster = bed.cluster();
  private final SchedulingQueue queue = bed.queue();
  private final Intake intake = bed.intake();
  private final ObjectReader reader = bed.reader();
  private int second;

  @Test
  void nobodyHasATurnBeforeThereAreEnough() {
    put(member("a", 0));
    put(member("b", 0));
    assertThat(intake.pop()).isEmpty();
    put(Gangs.group("default", "red", map("gang", map("minCount", 3))));
    assertThat(intake.pop()).isEmpty();
    put(member("c", 0));
    assertThat(names(intake.pop())).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void theMostImportantGoFirst() {
    put(Gangs.group("default", "red", map("gang", map("minCount", 2))));
    put(member("plain", 0));
    put(member("great", 10));
    put(with(waiting("other", map(), map()), "priority", 20));
    assertThat(names(intake.pop())).containsExactly("other");
    assertThat(names(intake.pop())).containsExactly("great", "plain");
    assertThat(intake.pop()).isEmpty();
  }

  @Test
  void whoWaitsAWhileComesAlongAndWhoHasGatesDoesNot() {
    put(Gangs.group("default", "red", map("gang", map("minCount", 1))));
    put(with(member("gated", 0), "schedulingGates", List.of(map("name", "example.org/quota"))));
    put(member("first", 0));
    intake.refused(intake.pop().getFirst(), Set.of("NodeResourcesFit"));
    assertThat(queue.get("default/first").place()).isEqualTo(Place.BACKOFF);
    put(member("second", 0));
    assertThat(names(intake.pop())).containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void whatHappensInTheMeantimeDoesNotSendAGroupBackToWait() {
    put(Gangs.group("default", "red", map("gang", map("minCount", 1))));
    put(member("first", 0));
    put(waiting("alone", map(), map()));
    QueuedPod first = intake.pop().getFirst();
    QueuedPod alone = intake.pop().getFirst();
    intake.refused(first, Set.of("NodeResourcesFit"));
    intake.refused(alone, Set.of("NodeResourcesFit"));
    assertThat(queue.get("default/first").place()).isEqualTo(Place.BACKOFF);
    assertThat(queue.get("default/alone").place()).isEqualTo(Place.UNSCHEDULABLE);
  }

  @Test
  void aPodThatWasMadeAnewIsNotTakenTwice() {
    put(Gangs.group("default", "red", map("gang", map("minCount", 1))));
    put(member("first", 0));
    assertThat(names(intake.pop())).containsExactly("first");
    intake.removePod("default/first");
    put(member("first", 0));
    put(member("second", 0));
    assertThat(names(intake.pop())).containsExactly("second");
  }

  private static Map<String, Object> member(String name, int priority) {
    Map<String, Object> pod = waiting(name, map(), map());
    with(pod, "priority", priority);
    return with(pod, "schedulingGroup", map("podGroupName", "red"));
  }

  private void put(Map<String, Object> object) {
    intake.at(++second * SECOND);
    reader.read(Fields.of(object, ""));
  }

  private static List<String> names(List<QueuedPod> pods) {
    return pods.stream().map(pod -> pod.pod().name()).toList();
  }
}
