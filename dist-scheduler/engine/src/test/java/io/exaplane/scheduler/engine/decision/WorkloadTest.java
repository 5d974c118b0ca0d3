// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.running;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Gangs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of pods as 1.37 has them. */
class WorkloadTest {
  private final List<Map<String, Object>> objects = new ArrayList<>();

  @Test
  void halfAGangTakesNothing() {
    objects.add(node("n1", "2"));
    gang("red", 3, 0, "1", "1", "1");
    objects.add(waiting("other", map("cpu", "2"), map()));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").message())
        .startsWith(
            "pod group is unschedulable, minCount (3) cannot be satisfied: 2 scheduled, 0 remaining, ");
    assertThat(decisions.get("red2").message()).contains("Insufficient cpu");
    assertThat(decisions.get("red2").node()).isEmpty();
    assertThat(decisions.get("other").node()).isEqualTo("n1");
  }

  @Test
  void aLowerMinCountLetsTheRestGo() {
    objects.add(node("n1", "2"));
    gang("red", 3, 0, "1", "1", "1");
    Cluster cluster = cluster();
    assertThat(place(cluster, true).values()).allMatch(decision -> decision.node().isEmpty());
    new ObjectReader(cluster, Version.V1_37).read(Fields.of(group("red", 2, 0), ""));
    Map<String, Decision> decisions = place(cluster, true);
    assertThat(decisions.get("red0").node()).isEqualTo("n1");
    assertThat(decisions.get("red1").node()).isEqualTo("n1");
    assertThat(decisions.get("red2").node()).isEmpty();
  }

  @Test
  void victimsGoForTheGroupAsAWholeAndTheMostImportantStay() {
    objects.add(node("n1", "2"));
    objects.add(node("n2", "900m"));
    objects.add(running("low", "n1", map("cpu", "1"), map()));
    objects.add(with(running("middle", "n2", map("cpu", "900m"), map()), "priority", 5));
    gang("red", 2, 10, "1", "1");
    Map<String, Decision> decisions = place();
    assertThat(decisions.values()).allMatch(decision -> !decision.nominated().isEmpty());
    assertThat(decisions.get("red0").victims())
        .extracting(victim -> victim.pod().name())
        .containsExactly("low");
    assertThat(decisions.get("red1").victims()).isEmpty();
    assertThat(decisions.get("red0").message())
        .endsWith("pod group preemption: found a placement for podgroup, preempting 1 victims");
  }

  @Test
  void whileVictimsAreGoingNobodyElseHasTo() {
    objects.add(node("n1", "1"));
    Map<String, Object> going = running("going", "n1", map("cpu", "1"), map());
    Map<String, Object> target =
        map("type", "DisruptionTarget", "status", "True", "reason", "PreemptionByScheduler");
    going.put(
        "metadata",
        map(
            "name",
            "going",
            "namespace",
            "default",
            "uid",
            "going",
            "deletionTimestamp",
            "2026-01-01T00:00:00Z"));
    going.put("status", map("phase", "Running", "conditions", List.of(target)));
    objects.add(going);
    gang("red", 1, 10, "1");
    objects.getLast().put("status", map("phase", "Pending", "nominatedNodeName", "n1"));
    Decision decision = place().get("red0");
    assertThat(decision.nominated()).isEqualTo("n1");
    assertThat(decision.victims()).isEmpty();
  }

  @Test
  void nobodyGoesForAGroupThatDoesNotFit() {
    objects.add(node("n1", "1"));
    objects.add(running("low", "n1", map("cpu", "1"), map()));
    gang("red", 2, 10, "1", "1");
    Cluster cluster = cluster();
    place(cluster, true).values().forEach(d -> assertThat(d.victims()).isEmpty());
    assertThat(cluster.pod("default/low")).isNotNull();
  }

  @Test
  void podsOfAGroupThatGoTogetherAreOneVictim() {
    objects.add(node("n1", "1"));
    objects.add(node("n2", "1"));
    Map<String, Object> spec =
        map("schedulingPolicy", map("basic", map()), "disruptionMode", map("all", map()));
    objects.add(Gangs.workload("default", "blue", spec));
    objects.add(inGroup(running("blue1", "n1", map("cpu", "1"), map()), "blue"));
    objects.add(inGroup(running("blue2", "n2", map("cpu", "1"), map()), "blue"));
    objects.add(with(waiting("urgent", map("cpu", "1"), map()), "priority", 10));
    assertThat(place().get("urgent").victims())
        .extracting(victim -> victim.pod().name())
        .containsExactlyInAnyOrder("blue1", "blue2");
  }

  @Test
  void theGroupsPriorityDecidesWhoMayEvictItsPods() {
    objects.add(node("n1", "1"));
    objects.add(group("blue", 1, 100));
    objects.add(inGroup(running("blue1", "n1", map("cpu", "1"), map()), "blue"));
    objects.add(with(waiting("urgent", map("cpu", "1"), map()), "priority", 10));
    assertThat(place().get("urgent").victims()).isEmpty();
  }

  @Test
  void whatKeepsOnePodFromItsTurnKeepsAll() {
    objects.add(node("n1", "9"));
    gang("red", 1, 0, "1", "1");
    with(objects.getLast(), "schedulingGates", List.of(map("name", "example.org/gate")));
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").node()).isEmpty();
    assertThat(decisions.get("red0").message()).isEqualTo(GroupRules.OTHERS_ARE_GATED);
    assertThat(decisions.get("red1").message()).contains("scheduling gates");
  }

  @Test
  void aGroupAndItsPodsHaveOnePriorityAndOnePolicy() {
    objects.add(node("n1", "9"));
    gang("red", 1, 5, "1");
    with(objects.getLast(), "priority", 7);
    gang("blue", 1, 0, "1", "1");
    with(objects.getLast(), "preemptionPolicy", "Never");
    Map<String, Decision> decisions = place();
    assertThat(decisions.get("red0").message())
        .isEqualTo(
            "all pods in a single pod group should have the same priority as the pod group's priority, got 7 and 5");
    assertThat(decisions.get("blue0").message())
        .isEqualTo(
            "all pods in a single pod group should have the same preemption policy, got Never and PreemptLowerPriority");
  }

  @ParameterizedTest
  @CsvSource({
    "parentCompositePodGroupName, CompositePodGroup",
    "schedulingConstraints, TopologyAwareWorkloadScheduling",
    "resourceClaims, DRAWorkloadResourceClaims",
    "preemptionPolicy, PodGroupPreemptionPolicy"
  })
  void whatOtherGatesBringIsRefused(String field, String gate) {
    objects.add(node("n1", "9"));
    Map<String, Object> spec =
        map("schedulingPolicy", map("basic", map()), field, List.of(map("name", "x")));
    objects.add(Gangs.workload("default", "red", spec));
    member("red", 0, "1");
    assertThat(place().get("red0").message())
        .startsWith("not supported: spec." + field + " of the PodGroup (feature gate " + gate);
  }

  private void gang(String name, int minCount, int priority, String... cpus) {
    objects.add(group(name, minCount, priority));
    for (int i = 0; i < cpus.length; i++) {
      member(name, i, cpus[i]);
      with(objects.getLast(), "priority", priority);
    }
  }

  private static Map<String, Object> group(String name, int minCount, int priority) {
    Map<String, Object> policy = map("gang", map("minCount", minCount));
    return Gangs.workload("default", name, map("schedulingPolicy", policy, "priority", priority));
  }

  private void member(String group, int number, String cpu) {
    objects.add(inGroup(waiting(group + number, map("cpu", cpu), map()), group));
  }

  private static Map<String, Object> inGroup(Map<String, Object> pod, String group) {
    return with(pod, "schedulingGroup", map("podGroupName", group));
  }

  private Cluster cluster() {
    return Clusters.of(objects, Version.V1_37);
  }

  /** What becomes of each pod; the same where nobody asks for reasons. */
  private Map<String, Decision> place() {
    Map<String, Decision> decisions = place(cluster(), true);
    Map<String, Decision> quickly = place(cluster(), false);
    assertThat(quickly.keySet()).isEqualTo(decisions.keySet());
    quickly.forEach((pod, d) -> assertThat(effect(d)).isEqualTo(effect(decisions.get(pod))));
    return decisions;
  }

  private static Map<String, Decision> place(Cluster cluster, boolean withReasons) {
    Map<String, Decision> decisions = new LinkedHashMap<>();
    new Decider(cluster, Gangs.profile(Version.V1_37), 0, withReasons)
        .placeAll(decision -> decisions.put(decision.pod().pod().name(), decision));
    return decisions;
  }

  private static String effect(Decision d) {
    return "%s %s %s %s"
        .formatted(
            d.node(),
            d.nominated(),
            d.victims().stream().map(victim -> victim.pod().key()).toList(),
            d.waitsNoMore());
  }
}
