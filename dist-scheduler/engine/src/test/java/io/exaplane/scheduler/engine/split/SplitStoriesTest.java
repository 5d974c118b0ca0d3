// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Gangs;
import io.exaplane.scheduler.engine.scenario.Plain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What shards have to know of each other. */
class SplitStoriesTest {
  private static final Profile PROFILE = Profile.defaults(Version.newest());

  private final List<Cluster> parts = new ArrayList<>();

  /** Shards of these objects, each of which has some of the nodes. */
  private Root root(boolean withReasons, List<List<Map<String, Object>>> objects) {
    objects.stream().map(some -> Clusters.of(some, Version.newest())).forEach(parts::add);
    List<Shard> shards =
        parts.stream().map(part -> new Shard(part, PROFILE, 0, withReasons)).toList();
    return new Root(shards, PROFILE, withReasons);
  }

  private static Pod pod(Map<String, Object> object) {
    return Clusters.of(List.of(object), Version.newest()).pods().iterator().next().pod();
  }

  private static Map<String, Object> cpu(String amount) {
    return map("cpu", amount);
  }

  @Test
  void theBestOfAllIsTaken() {
    Root root =
        root(true, List.of(List.of(Plain.node("small", "2")), List.of(Plain.node("large", "8"))));
    Outcome outcome = root.decide(pod(Plain.waiting("p", cpu("1"), map())));
    assertThat(outcome.node()).isEqualTo("large");
    assertThat(outcome.score()).isPositive();
  }

  @Test
  void whoIsAloneOnAShardSeesWhatOthersTook() {
    Root root = root(true, List.of(List.of(Plain.node("a", "2")), List.of(Plain.node("b", "2"))));
    for (String name : List.of("p", "q", "r")) {
      root.apply(root.decide(pod(Plain.waiting(name, cpu("2"), map()))));
    }
    assertThat(parts).allSatisfy(part -> assertThat(part.pods()).hasSize(1));
    Outcome outcome = root.decide(pod(Plain.waiting("s", cpu("1"), map())));
    assertThat(outcome.message()).startsWith("0/2 nodes are available: 2 Insufficient cpu.");
  }

  @Test
  void nobodyHasToGoWhileVictimsOnTheNominatedNodeOfAnotherShardDo() {
    Map<String, Object> going = Plain.running("going", "a", cpu("2"), map());
    going.put(
        "status",
        map(
            "phase",
            "Running",
            "conditions",
            List.of(
                map(
                    "type",
                    "DisruptionTarget",
                    "status",
                    "True",
                    "reason",
                    "PreemptionByScheduler"))));
    going.put(
        "metadata",
        map(
            "name", "going",
            "namespace", "default",
            "uid", "going",
            "deletionTimestamp", "2026-01-01T00:00:00Z"));
    Root root =
        root(
            true,
            List.of(
                List.of(Plain.node("a", "2"), going),
                List.of(Plain.node("b", "2"), Plain.running("stays", "b", cpu("2"), map()))));
    Map<String, Object> waits = Plain.waiting("p", cpu("2"), map());
    Plain.with(waits, "priority", 10);
    waits.put("status", map("phase", "Pending", "nominatedNodeName", "a"));
    Outcome outcome = root.decide(pod(waits));
    assertThat(outcome.victims()).isEmpty();
    assertThat(outcome.message()).contains("terminating pod on the nominated node");
  }

  @Test
  void onlyTheShardOfItsNodeKeepsAPod() {
    Root root = root(true, List.of(List.of(Plain.node("a", "1")), List.of(Plain.node("b", "4"))));
    root.apply(root.decide(pod(Plain.waiting("p", cpu("3"), map()))));
    assertThat(parts.get(0).pods()).isEmpty();
    assertThat(parts.get(1).pod("default/p").pod().nodeName()).isEqualTo("b");
  }

  /**
   * The more nodes do, the more it counts how many pods a node has. Of the nodes in zone b, which
   * are alike, one can have the volume; an index that does not ask the others takes them for nodes
   * that do, and would prefer it to the node in zone a.
   */
  @Test
  void howManyNodesDoIsNotGuessedWhereVolumesDecide() {
    List<Map<String, Object>> here = new ArrayList<>(volume());
    here.add(spreadNode("here", "a"));
    here.add(Plain.with(spread("first"), "nodeName", "here"));
    List<Map<String, Object>> there = new ArrayList<>(volume());
    for (int i = 0; i < 30; i++) {
      there.add(spreadNode(i == 0 ? "there" : "other" + i, "b"));
    }
    List<Map<String, Object>> full = new ArrayList<>(volume());
    full.add(Plain.with(spreadNode("cordoned", "b"), "unschedulable", true));
    for (int i = 0; i < 3; i++) {
      full.add(Plain.with(spread("on" + i), "nodeName", "cordoned"));
    }
    Root root = root(false, List.of(here, there, full));
    Map<String, Object> claims = map("claimName", "v");
    Pod asks =
        pod(
            Plain.with(
                spread("asks"),
                "volumes",
                List.of(map("name", "v", "persistentVolumeClaim", claims))));
    Outcome everyNodeAsked = root.decide(asks);
    Outcome byIndex = root.decide(asks);
    assertThat(everyNodeAsked.node()).isEqualTo("here");
    assertThat(byIndex).isEqualTo(everyNodeAsked);
  }

  private static Map<String, Object> spreadNode(String name, String zone) {
    Map<String, Object> node = Plain.node(name, "64");
    node.put(
        "metadata", map("name", name, "labels", map("kubernetes.io/hostname", name, "zone", zone)));
    node.put("spec", map());
    return node;
  }

  private static Map<String, Object> spread(String name) {
    List<Map<String, Object>> constraints = new ArrayList<>();
    for (String key : List.of("kubernetes.io/hostname", "zone")) {
      constraints.add(
          map(
              "topologyKey",
              key,
              "maxSkew",
              1,
              "whenUnsatisfiable",
              "ScheduleAnyway",
              "labelSelector",
              map("matchLabels", map("app", "spread"))));
    }
    Map<String, Object> pod = Plain.waiting(name, map(), map());
    pod.put(
        "metadata",
        map("name", name, "namespace", "default", "uid", name, "labels", map("app", "spread")));
    return Plain.with(pod, "topologySpreadConstraints", constraints);
  }

  /** A claim, bound to a volume that two nodes can have. */
  private static List<Map<String, Object>> volume() {
    Map<String, Object> bound = map("pv.kubernetes.io/bind-completed", "yes");
    Map<String, Object> nodes =
        map("key", "kubernetes.io/hostname", "operator", "In", "values", List.of("here", "there"));
    Map<String, Object> term = map("matchExpressions", List.of(nodes));
    return List.of(
        map(
            "kind",
            "PersistentVolumeClaim",
            "metadata",
            map("name", "v", "namespace", "default", "annotations", bound),
            "spec",
            map("volumeName", "v", "accessModes", List.of("ReadWriteOnce")),
            "status",
            map("phase", "Bound")),
        map(
            "kind",
            "PersistentVolume",
            "metadata",
            map("name", "v"),
            "spec",
            map("nodeAffinity", map("required", map("nodeSelectorTerms", List.of(term))))));
  }

  @Test
  void whoWaitedForTheNodeAndIsLessImportantIsTold() {
    Map<String, Object> waited = Plain.waiting("waited", cpu("2"), map());
    waited.put("status", map("phase", "Pending", "nominatedNodeName", "a"));
    Root root =
        root(
            true,
            List.of(
                List.of(
                    Plain.node("a", "2"),
                    Plain.with(Plain.running("low", "a", cpu("2"), map()), "priority", -1),
                    waited),
                List.of(Plain.node("b", "1"))));
    Pod preempts = pod(Plain.with(Plain.waiting("preempts", cpu("2"), map()), "priority", 10));
    Outcome outcome = root.decide(preempts);
    assertThat(outcome.victims()).containsExactly("default/low");
    assertThat(root.apply(outcome))
        .singleElement()
        .satisfies(
            cleared -> {
              assertThat(cleared.name()).isEqualTo("waited");
              assertThat(cleared.nominatedNode()).isEmpty();
            });
    assertThat(parts.get(0).pods()).extracting(p -> p.pod().name()).containsExactly("preempts");
  }

  @Test
  void aPodOnANodeIsNotDecidedAboutAndStaysThere() {
    Root root =
        root(
            true,
            List.of(
                List.of(Plain.node("b", "2")),
                List.of(Plain.node("a", "2"), Plain.running("p", "a", cpu("1"), map()))));
    Pod stale = pod(Plain.waiting("p", cpu("1"), map()));
    assertThatThrownBy(() -> root.decide(stale))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("default/p: it is on node a already");
    assertThat(parts.get(1).pod("default/p").pod().nodeName()).isEqualTo("a");
    assertThat(parts.get(0).pods()).isEmpty();
  }

  @Test
  void shardsThatKnowDifferentServicesAreRefused() {
    Map<String, Object> service =
        map(
            "kind",
            "Service",
            "metadata",
            map("name", "s", "namespace", "default"),
            "spec",
            map("selector", map("app", "spread")));
    Root root =
        root(true, List.of(List.of(Plain.node("a", "2"), service), List.of(Plain.node("b", "2"))));
    Map<String, Object> spread = Plain.waiting("p", cpu("1"), map());
    spread.put(
        "metadata",
        map("name", "p", "namespace", "default", "uid", "p", "labels", map("app", "spread")));
    assertThatThrownBy(() -> root.decide(pod(spread)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("give all shards the same Services");
  }

  @Test
  void profilesWithGangsAreRefused() {
    Cluster cluster = Clusters.of(List.of(), Version.newest());
    assertThatThrownBy(() -> new Shard(cluster, Gangs.profile(), 0, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GangScheduling");
  }
}
