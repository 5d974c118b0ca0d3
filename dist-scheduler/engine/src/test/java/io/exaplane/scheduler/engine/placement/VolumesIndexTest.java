// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.running;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods with volumes among more nodes than are tried one after another, the fullest last. */
class VolumesIndexTest {
  private static final int NODES = 400;
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private final Profile profile = Profile.defaults(Version.newest());
  private final List<Map<String, Object>> objects = new ArrayList<>();
  private final Cluster cluster = cluster();

  @Test
  void volumesThatAreUsableAnywhereTakeTheBestNode() {
    assertThat(chosen("anywhere")).isEqualTo("n0");
    assertThat(decided("anywhere")).isEqualTo("n0");
  }

  @Test
  void theBestOfAFewIsFoundOnTheWayDown() {
    assertThat(chosen("near")).isEqualTo("n5");
    assertThat(decided("near")).isEqualTo("n5");
  }

  /** The score tells whether there is another one. */
  @Test
  void whereTheNextOneIsFarAllAreAsked() {
    assertThat(chosen("apart")).isEmpty();
    assertThat(decided("apart")).isEqualTo("n5");
  }

  @Test
  void aVolumeOfTheFullestNodeIsLookedForOnAll() {
    assertThat(chosen("far")).isEmpty();
    assertThat(decided("far")).isEqualTo("n399");
  }

  /** What the index says at the second question, of which a class has one; empty if it can't. */
  private String chosen(String name) {
    Cycle cycle = new Cycle(cluster, profile, 0);
    PlacedPod pod = cluster.pod("default/" + name);
    assertThat(cycle.choose(pod)).isEqualTo(Cycle.UNKNOWN);
    int node = cycle.choose(pod);
    return node == Cycle.UNKNOWN ? "" : cluster.nodes().node(node).name();
  }

  private String decided(String name) {
    PlacedPod pod = cluster.pod("default/" + name);
    Decider quick = new Decider(cluster, profile, 0, false);
    quick.decide(pod);
    Decision withReasons = new Decider(cluster, profile, 0, true).decide(pod);
    Decision quickly = quick.decide(pod);
    assertThat(quickly.node()).isEqualTo(withReasons.node());
    assertThat(quickly.score()).isEqualTo(withReasons.score());
    return withReasons.node();
  }

  private Cluster cluster() {
    for (int i = 0; i < NODES; i++) {
      Map<String, Object> node = node("n" + i, "64");
      node.put("metadata", map("name", "n" + i, "labels", map(HOSTNAME, "n" + i)));
      objects.add(node);
      // The first one is empty; each of the others is a little fuller than the one before.
      long cpu = i == 0 ? 0 : 10_000 + 100 * i;
      Map<String, Object> requests = map("cpu", cpu + "m", "memory", 8 * i + "Mi");
      objects.add(running("on" + i, "n" + i, requests, map()));
    }
    claiming("anywhere", List.of());
    claiming("near", List.of("n5", "n50"));
    claiming("apart", List.of("n5", "n300"));
    claiming("far", List.of("n399"));
    return Clusters.of(objects, Version.newest());
  }

  private void claiming(String name, List<String> nodes) {
    Map<String, Object> claim = map("claimName", name);
    Map<String, Object> bound = map("pv.kubernetes.io/bind-completed", "yes");
    Map<String, Object> pod = waiting(name, map("cpu", "1"), map());
    objects.add(with(pod, "volumes", List.of(map("name", "v", "persistentVolumeClaim", claim))));
    objects.add(
        map(
            "kind",
            "PersistentVolumeClaim",
            "metadata",
            map("name", name, "namespace", "default", "annotations", bound),
            "spec",
            map("volumeName", name, "accessModes", List.of("ReadWriteOnce")),
            "status",
            map("phase", "Bound")));
    Map<String, Object> term =
        map("matchExpressions", List.of(map("key", HOSTNAME, "operator", "In", "values", nodes)));
    Map<String, Object> required = map("required", map("nodeSelectorTerms", List.of(term)));
    objects.add(
        map(
            "kind",
            "PersistentVolume",
            "metadata",
            map("name", name),
            "spec",
            map("nodeAffinity", nodes.isEmpty() ? null : required)));
  }
}
