// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.running;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Gangs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** All pods that a gang needs find a node, or none is bound and nobody has to go. */
class GangTest {
  private final List<Map<String, Object>> objects = new ArrayList<>();

  @Test
  void aGangThatFitsIsBoundTogether() {
    objects.add(node("n1", "2"));
    objects.add(node("n2", "1"));
    gang("red", 3, "1", "1", "1");
    assertThat(places()).containsOnlyKeys("red0", "red1", "red2").doesNotContainValue("");
  }

  @Test
  void halfAGangTakesNothing() {
    objects.add(node("n1", "2"));
    gang("red", 3, "1", "1", "1");
    objects.add(waiting("other", map("cpu", "2"), map()));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").message()).isEqualTo(GangScheduling.WAITS);
    assertThat(decisions.get("red1").message()).isEqualTo(GangScheduling.WAITS);
    assertThat(decisions.get("red2").message()).contains("Insufficient cpu");
    assertThat(decisions.get("red2").node()).isEmpty();
    assertThat(decisions.get("other").node()).isEqualTo("n1");
  }

  @Test
  void whoIsThereAlreadyCounts() {
    objects.add(node("n1", "2"));
    objects.add(inGroup(running("red-old", "n1", map("cpu", "1"), map()), "red"));
    gang("red", 2, "1");
    assertThat(places()).containsEntry("red0", "n1");
  }

  @Test
  void moreThanNeededMayStayBehind() {
    objects.add(node("n1", "2"));
    gang("red", 2, "1", "1", "1");
    assertThat(places())
        .containsEntry("red0", "n1")
        .containsEntry("red1", "n1")
        .containsEntry("red2", "");
  }

  @Test
  void aGangWaitsForItsPodsAndItsGroup() {
    objects.add(node("n1", "9"));
    gang("red", 3, "1", "1");
    objects.add(inGroup(waiting("lost", map("cpu", "1"), map()), "blue"));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").message())
        .contains("waiting for minCount pods from a gang to appear in scheduling queue");
    assertThat(decisions.get("lost").message())
        .contains("waiting for pods's pod group \"blue\" to appear in scheduling queue");
  }

  @Test
  void podsOfAGroupWithoutAGangGoByThemselves() {
    objects.add(node("n1", "2"));
    objects.add(Gangs.group("default", "red", map("basic", map())));
    member("red", 0, "1");
    member("red", 1, "8");
    assertThat(places()).containsEntry("red0", "n1").containsEntry("red1", "");
  }

  @Test
  void aGangWaitsUntilVictimsAreGone() {
    objects.add(node("n1", "1"));
    objects.add(node("n2", "1"));
    objects.add(running("small", "n1", map("cpu", "1"), map()));
    gang("red", 2, "1", "1");
    objects.forEach(object -> important(object, 10));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").nominated()).isEqualTo("n2");
    assertThat(decisions.get("red0").message()).isEqualTo(GroupTurn.WAITS_FOR_PREEMPTION);
    assertThat(decisions.get("red1").nominated()).isEqualTo("n1");
    assertThat(decisions.get("red1").victims()).singleElement();
  }

  @Test
  void nobodyGoesForAGangThatDoesNotFit() {
    objects.add(node("n1", "1"));
    objects.add(running("small", "n1", map("cpu", "1"), map()));
    gang("red", 2, "1", "1");
    objects.forEach(object -> important(object, 10));
    Cluster cluster = cluster();
    Map<String, Decision> decisions = place(cluster);
    assertThat(decisions.get("red0").victims()).isEmpty();
    assertThat(decisions.get("red0").nominated()).isEmpty();
    assertThat(cluster.pod("default/small")).isNotNull();
  }

  @Test
  void whoWaitedForANodeWaitsNoMore() {
    objects.add(node("n1", "1"));
    gang("red", 2, "1", "1");
    objects.getLast().put("status", map("phase", "Pending", "nominatedNodeName", "n1"));
    Cluster cluster = cluster();
    place(cluster);
    assertThat(cluster.hasNominations()).isFalse();
  }

  @Test
  void anErrorOfOneIsAnErrorOfAll() {
    objects.add(node("n1", "9"));
    gang("red", 2, "1", "1");
    objects.add(
        inGroup(
            with(
                waiting("red-broken", map(), map()),
                "resourceClaims",
                List.of(map("name", "gpu", "resourceClaimName", "gpu"))),
            "red"));
    objects.addAll(Gangs.claimOfAllWhileNobodyKnowsHowMany("gpu"));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red-broken").message()).contains("asks for all devices");
    assertThat(decisions.get("red0").node()).isEmpty();
    assertThat(decisions.get("red0").message())
        .startsWith("failed to schedule other pod from a pod group: ");
  }

  @Test
  void whoLooksLikeThePodsOfAGangThatWaitsDoesNotWaitWithThem() {
    objects.add(node("n1", "4"));
    gang("red", 3, "1");
    gang("blue", 1, "1");
    objects.add(waiting("plain", map("cpu", "1"), map()));
    assertThat(places())
        .containsEntry("red0", "")
        .containsEntry("blue0", "n1")
        .containsEntry("plain", "n1");
  }

  @Test
  void whatOneOfAGangWasGivenStaysGiven() {
    objects.add(node("n1", "1"));
    objects.add(node("n2", "1"));
    objects.addAll(Gangs.claimOfTheDeviceOn("n1", "gpu"));
    objects.add(Gangs.group("default", "red", map("gang", map("minCount", 1))));
    for (int i = 0; i < 2; i++) {
      member("red", i, "1");
      with(
          objects.getLast(),
          "resourceClaims",
          List.of(map("name", "gpu", "resourceClaimName", "gpu")));
    }
    Cluster cluster = cluster();
    Map<String, Decision> decisions = place(cluster);
    assertThat(decisions.get("red0").node()).isEqualTo("n1");
    assertThat(decisions.get("red1").node()).isEmpty();
    assertThat(decisions.get("red1").givenUp()).isNull();
    assertThat(decisions.get("red1").message()).contains("still not schedulable");
    assertThat(cluster.devices().claim("default", "gpu").isAllocated()).isTrue();
  }

  @Test
  void whoWaitsForANodeFreelyTakesNobodysPlace() {
    objects.add(node("n1", "1"));
    objects.add(node("n2", "2"));
    objects.add(running("small", "n1", map("cpu", "1"), map()));
    objects.add(waiting("small-waits", map("cpu", "1"), map()));
    objects.getLast().put("status", map("phase", "Pending", "nominatedNodeName", "n2"));
    with(objects.getLast(), "nodeSelector", map("no", "where"));
    with(objects.getLast(), "preemptionPolicy", "Never");
    gang("red", 3, "1", "1", "1");
    objects.forEach(object -> important(object, 10));
    Cluster cluster = cluster();
    assertThat(place(cluster).get("red0").nominated()).isNotEmpty();
    assertThat(cluster.pod("default/small-waits").pod().nominatedNode()).isEqualTo("n2");
  }

  @Test
  void aGroupThatIsGoneIsAnError() {
    objects.add(node("n1", "9"));
    gang("red", 2, "1", "1");
    Cluster cluster = cluster();
    List<Decision> outcomes = new ArrayList<>();
    Decider decider = new Decider(cluster, Gangs.profile(), 0, true);
    decider.eachTurn(
        turn -> {
          cluster.groups().remove("default/red");
          outcomes.addAll(decider.decideTogether(turn.pods(), member -> {}));
        });
    assertThat(outcomes).hasSize(2).allMatch(outcome -> outcome.node().isEmpty());
    assertThat(outcomes.getFirst().message())
        .startsWith("running Permit plugin \"GangScheduling\": failed to get podGroup default/red");
    assertThat(outcomes.getLast().message())
        .startsWith("failed to schedule other pod from a pod group: running Permit plugin");
  }

  @Test
  void withoutNodesNothingIsTried() {
    objects.add(waiting("alone", map("cpu", "1"), map()));
    assertThat(place().get("alone").message()).isEqualTo("no nodes available to schedule pods");
  }

  @Test
  void podsOfDifferentSchedulersAreNoGang() {
    objects.add(node("n1", "9"));
    gang("red", 2, "1", "1");
    with(objects.getLast(), "schedulerName", "second");
    Profile first = Gangs.profile();
    Decider decider = new Decider(cluster(), List.of(first, Gangs.profile("second")), 0, true);
    List<String> messages = new ArrayList<>();
    decider.placeAll(decision -> messages.add(decision.message()));
    assertThat(messages)
        .hasSize(2)
        .allMatch(message -> message.contains("should have the same .spec.schedulerName set"));
  }

  private void gang(String name, int minCount, String... cpu) {
    objects.add(Gangs.group("default", name, map("gang", map("minCount", minCount))));
    for (int i = 0; i < cpu.length; i++) {
      member(name, i, cpu[i]);
    }
  }

  private void member(String group, int number, String cpu) {
    objects.add(inGroup(waiting(group + number, map("cpu", cpu), map()), group));
  }

  private static Map<String, Object> inGroup(Map<String, Object> pod, String group) {
    return with(pod, "schedulingGroup", map("podGroupName", group));
  }

  private static void important(Map<String, Object> object, int priority) {
    if (object.get("kind").equals("Pod") && !object.toString().contains("small")) {
      with(object, "priority", priority);
    }
  }

  private Cluster cluster() {
    return Clusters.of(objects, Version.V1_36);
  }

  private Map<String, Decision> place() {
    return place(cluster());
  }

  /** What becomes of each pod; the same where nobody asks for reasons. */
  private Map<String, Decision> place(Cluster cluster) {
    Map<String, Decision> decisions = place(cluster, true);
    Map<String, Decision> quickly = place(cluster(), false);
    assertThat(quickly.keySet()).isEqualTo(decisions.keySet());
    quickly.forEach((pod, d) -> assertThat(effect(d)).isEqualTo(effect(decisions.get(pod))));
    return decisions;
  }

  private static Map<String, Decision> place(Cluster cluster, boolean withReasons) {
    Map<String, Decision> decisions = new LinkedHashMap<>();
    new Decider(cluster, Gangs.profile(), 0, withReasons)
        .placeAll(decision -> decisions.put(decision.pod().pod().name(), decision));
    return decisions;
  }

  private static String effect(Decision d) {
    return "%s %s %s %s %s"
        .formatted(
            d.node(),
            d.nominated(),
            d.victims().stream().map(victim -> victim.pod().key()).toList(),
            d.givenUp() == null ? "" : d.givenUp().key(),
            d.waitsNoMore());
  }

  private Map<String, String> places() {
    Map<String, String> places = new LinkedHashMap<>();
    place().forEach((pod, decision) -> places.put(pod, decision.node()));
    return places;
  }
}
