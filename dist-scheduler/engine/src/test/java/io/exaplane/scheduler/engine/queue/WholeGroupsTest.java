// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.queue.QueuedPod.Place;
import io.exaplane.scheduler.engine.scenario.Gangs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From 1.37 on, pods of a group wait together. */
class WholeGroupsTest {
  private static final long SECOND = QueueBed.SECOND;
  private static final Set<String> FIT = Set.of("NodeResourcesFit");

  private final QueueBed bed = QueueBed.of(Gangs.profile(Version.V1_37));
  private final SchedulingQueue queue = bed.queue();
  private final Intake intake = bed.intake();
  private final ObjectReader reader = bed.reader();
  private int second;

  @Test
  void podsWaitForTheirGroupThenForEachOther() {
    put(member("a", 0));
    assertThat(place("a")).isEqualTo(Place.WITHOUT_GROUP);
    put(gang(2));
    assertThat(place("a")).isEqualTo(Place.UNSCHEDULABLE);
    assertThat(intake.pop()).isEmpty();
    put(member("b", 0));
    assertThat(names(intake.pop())).containsExactly("a", "b");
  }

  @Test
  void aGangThatNeedsFewerNeedNotWait() {
    put(gang(3));
    put(member("a", 0));
    put(member("b", 0));
    put(gang(4));
    assertThat(intake.pop()).isEmpty();
    put(gang(2));
    assertThat(names(intake.pop())).containsExactly("a", "b");
  }

  @Test
  void whatKeepsOneFromItsTurnKeepsThemAll() {
    put(gang(1));
    put(member("a", 0));
    put(with(member("gated", 0), "schedulingGates", List.of(map("name", "example.org/quota"))));
    assertThat(place("a")).isEqualTo(Place.UNSCHEDULABLE);
    assertThat(queue.waits().gated()).isEqualTo(2);
    put(member("gated", 0));
    assertThat(names(intake.pop())).containsExactly("a", "gated");
  }

  @Test
  void whoComesWhileItIsDecidedAboutTheGroupWaitsUntilThen() {
    put(gang(1));
    put(member("a", 0));
    QueuedPod a = intake.pop().getFirst();
    put(member("b", 0));
    assertThat(place("b")).isEqualTo(Place.AFTER_GROUP);
    assertThat(intake.pop()).isEmpty();
    intake.refused(a, FIT);
    intake.ended("default/red", GroupEnd.REFUSED);
    assertThat(place("a")).isEqualTo(Place.ERROR_BACKOFF);
    assertThat(place("b")).isEqualTo(Place.ERROR_BACKOFF);
    assertThat(intake.pop()).as("a group waits to the end").isEmpty();
    queue.endWaits((second + 2) * SECOND);
    assertThat(names(intake.pop())).containsExactly("a", "b");
  }

  /** Who stays behind may preempt at once: it is not the last of those who wait. */
  @Test
  void whoStaysBehindWaitsNoLongerAndIsAsOldAsTheGroup() {
    put(gang(1));
    put(member("a", 0));
    put(member("b", 0));
    put(waiting("other", map(), map()));
    List<QueuedPod> pods = intake.pop();
    queue.done(pods.getFirst());
    intake.at(9 * SECOND).refused(pods.getLast(), FIT);
    intake.ended("default/red", GroupEnd.PLACED);
    assertThat(names(intake.pop())).containsExactly("b");
    assertThat(names(intake.pop())).containsExactly("other");
  }

  @Test
  void whoComesAfterwardsIsTheYoungest() {
    put(gang(1));
    put(member("a", 0));
    QueuedPod a = intake.pop().getFirst();
    put(member("b", 0));
    put(waiting("other", map(), map()));
    queue.done(a);
    intake.at(9 * SECOND).ended("default/red", GroupEnd.PLACED);
    assertThat(names(intake.pop())).containsExactly("other");
    assertThat(names(intake.pop())).containsExactly("b");
  }

  /** The most is ten seconds for one pod, twenty for four. */
  @Test
  void largeGroupsMayWaitLonger() {
    assertThat(Backoff.DEFAULT.durationNs(9, 4)).isEqualTo(20 * SECOND);
    assertThat(Backoff.DEFAULT.durationNs(9, 1)).isEqualTo(10 * SECOND);
    assertThat(Backoff.DEFAULT.durationNs(1, 4)).isEqualTo(SECOND);
  }

  @Test
  void withoutTheirGroupPodsHaveNoTurn() {
    put(gang(1));
    put(member("a", 0));
    reader.remove("PodGroup", "default", "red");
    assertThat(place("a")).isEqualTo(Place.WITHOUT_GROUP);
    assertThat(intake.pop()).isEmpty();
    put(gang(1));
    QueuedPod a = intake.pop().getFirst();
    put(member("b", 0));
    reader.remove("PodGroup", "default", "red");
    intake.refused(a, FIT);
    intake.ended("default/red", GroupEnd.REFUSED);
    assertThat(queue.uids(Place.WITHOUT_GROUP)).hasSize(2);
  }

  @Test
  void theGroupsPriorityCounts() {
    put(gang(1, 5));
    put(with(waiting("greater", map(), map()), "priority", 7));
    put(with(waiting("lesser", map(), map()), "priority", 3));
    put(member("a", 5));
    assertThat(names(intake.pop())).containsExactly("greater");
    assertThat(names(intake.pop())).containsExactly("a");
    intake.ended("default/red", GroupEnd.PLACED);
    assertThat(names(intake.pop())).containsExactly("lesser");
  }

  @Test
  void aPodThatIsGoneLeavesTheOthersWaiting() {
    put(gang(2));
    put(member("a", 0));
    put(member("b", 0));
    reader.remove("Pod", "default", "b");
    put(member("c", 0));
    assertThat(names(intake.pop())).containsExactly("a", "c");
  }

  private static Map<String, Object> gang(int minCount) {
    return gang(minCount, 0);
  }

  private static Map<String, Object> gang(int minCount, int priority) {
    Map<String, Object> policy = map("gang", map("minCount", minCount));
    return Gangs.workload("default", "red", map("schedulingPolicy", policy, "priority", priority));
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

  private Place place(String name) {
    return queue.get(bed.cluster().pod("default/" + name).pod()).place();
  }

  private static List<String> names(List<QueuedPod> pods) {
    return pods.stream().map(pod -> pod.pod().name()).toList();
  }
}
