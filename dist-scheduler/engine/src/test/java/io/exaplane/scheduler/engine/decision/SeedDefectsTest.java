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
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the scheduler that this one grew from gets wrong (its pods were its only world, it never
 * looked back, and many decided at once on the same nodes), by the numbers of the analysis. The
 * other defects are of its network and its intake.
 */
class SeedDefectsTest {
  private final List<Map<String, Object>> objects = new ArrayList<>();

  @Test
  void defect1PodsOfOthersTakeRoomUntilTheyEnd() {
    objects.add(node("n1", "1"));
    objects.add(running("theirs", "n1", map("cpu", "1"), map()));
    objects.add(waiting("ours", map("cpu", "1"), map()));
    Cluster cluster = cluster();
    assertThat(places(cluster)).containsEntry("ours", "");
    cluster.removePod("default/theirs");
    assertThat(places(cluster)).containsEntry("ours", "n1");
  }

  @Test
  void defect1PodsThatHaveEndedTakeNothing() {
    objects.add(node("n1", "1"));
    Map<String, Object> ended = running("theirs", "n1", map("cpu", "1"), map());
    ended.put("status", map("phase", "Succeeded"));
    objects.add(ended);
    objects.add(waiting("ours", map("cpu", "1"), map()));
    assertThat(places(cluster())).containsEntry("ours", "n1");
  }

  @Test
  void defect2HostPortsOfPodsOfOthersCount() {
    objects.add(node("n1", "4"));
    objects.add(node("n2", "4"));
    objects.add(running("theirs", "n1", map(), map("ports", List.of(map("hostPort", 80)))));
    objects.add(waiting("ours", map(), map("ports", List.of(map("hostPort", 80)))));
    assertThat(places(cluster())).containsEntry("ours", "n2");
  }

  @Test
  void defect2PreferencesAreComparedOverAllNodes() {
    for (int i = 0; i < 40; i++) {
      Map<String, Object> node = node("n" + i, "4");
      node.put("metadata", map("name", "n" + i, "labels", map("kubernetes.io/hostname", "n" + i)));
      objects.add(node);
    }
    Map<String, Object> pod = waiting("ours", map("cpu", "100m"), map());
    Map<String, Object> preference =
        map(
            "matchExpressions",
            List.of(
                map("key", "kubernetes.io/hostname", "operator", "In", "values", List.of("n33"))));
    with(
        pod,
        "affinity",
        map(
            "nodeAffinity",
            map(
                "preferredDuringSchedulingIgnoredDuringExecution",
                List.of(map("weight", 1, "preference", preference)))));
    objects.add(pod);
    assertThat(places(cluster())).containsEntry("ours", "n33");
  }

  @Test
  void defect3MoreImportantPodsMakeRoom() {
    objects.add(node("n1", "1"));
    objects.add(running("small", "n1", map("cpu", "1"), map()));
    Map<String, Object> pod = waiting("great", map("cpu", "1"), map());
    with(pod, "priority", 1000);
    objects.add(pod);
    List<String> decisions = new ArrayList<>();
    Cluster cluster = cluster();
    decider(cluster)
        .placeAll(
            d ->
                decisions.add(
                    d.nominated() + d.victims().stream().map(v -> v.pod().key()).toList()));
    assertThat(decisions).containsExactly("n1[default/small]");
    assertThat(places(cluster)).containsEntry("great", "n1");
  }

  @Test
  void defect4GatedPodsWait() {
    objects.add(node("n1", "4"));
    Map<String, Object> pod = waiting("gated", map(), map());
    with(pod, "schedulingGates", List.of(map("name", "example.org/quota")));
    objects.add(pod);
    assertThat(places(cluster())).containsEntry("gated", "");
  }

  @Test
  void defect4MoreImportantPodsGoFirst() {
    objects.add(node("n1", "1"));
    objects.add(waiting("first", map("cpu", "1"), map()));
    Map<String, Object> pod = waiting("great", map("cpu", "1"), map());
    with(pod, "priority", 10);
    objects.add(pod);
    assertThat(places(cluster())).containsEntry("great", "n1").containsEntry("first", "");
  }

  @Test
  void defect7NodesAreNeverOverfilled() {
    for (int i = 0; i < 3; i++) {
      objects.add(node("n" + i, "2"));
    }
    for (int i = 0; i < 100; i++) {
      objects.add(waiting("p" + i, map("cpu", "500m"), map()));
    }
    Map<String, Integer> perNode = new LinkedHashMap<>();
    places(cluster()).values().forEach(node -> perNode.merge(node, 1, Integer::sum));
    assertThat(perNode).containsEntry("n0", 4).containsEntry("n1", 4).containsEntry("n2", 4);
    assertThat(perNode).containsEntry("", 88);
  }

  @Test
  void defect8ThinkingHoldsNothing() {
    objects.add(node("n1", "1"));
    for (int i = 0; i < 10; i++) {
      objects.add(waiting("p" + i, map("cpu", "1"), map()));
    }
    Cluster cluster = cluster();
    List<String> nodes = new ArrayList<>();
    decider(cluster).judgeEach(decision -> nodes.add(decision.node()));
    decider(cluster).judgeEach(decision -> nodes.add(decision.node()));
    assertThat(nodes).hasSize(20).containsOnly("n1");
  }

  private Cluster cluster() {
    return Clusters.of(objects, Version.newest());
  }

  private static Decider decider(Cluster cluster) {
    return new Decider(cluster, Profile.defaults(Version.newest()), 0, false);
  }

  private static Map<String, String> places(Cluster cluster) {
    Map<String, String> places = new LinkedHashMap<>();
    decider(cluster).placeAll(d -> places.put(d.pod().pod().name(), d.node()));
    return places;
  }
}
