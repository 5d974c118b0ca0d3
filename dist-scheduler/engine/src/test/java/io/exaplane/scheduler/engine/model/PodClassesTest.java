// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.running;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster that has been up for long knows no more classes than it needs. */
class PodClassesTest {
  private static final int MANY = 5 * PodClasses.FEW;

  private final Cluster cluster = new Cluster();
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());
  private final Decider decider = new Decider(cluster, Profile.defaults(Version.newest()), 0, true);

  @Test
  void classesGoWithTheirPods() {
    read(named("n1"));
    read(ofZone("stays", "a", "n1"));
    for (int i = 0; i < MANY; i++) {
      read(ofZone("passes", "b" + i, "n1"));
      cluster.removePod("default/passes");
    }
    assertThat(cluster.classes().size()).isLessThanOrEqualTo(PodClasses.FEW + 2);
    read(spread("first"));
    assertThat(placed()).isEqualTo("n1");
  }

  /** The pod that looks for a node stays, and so does what is counted for it. */
  @Test
  void whoComesBackCountsAgain() {
    read(named("n1"));
    read(named("n2"));
    read(spread("looks"));
    List<String> nodes = new ArrayList<>();
    for (String node : List.of("n1", "n2", "n1", "n2")) {
      read(ofZone("old", "a", node));
      // Without the pod that is counted, its node would be the better one.
      read(running("heavy", node.equals("n1") ? "n2" : "n1", map("cpu", "3"), map()));
      nodes.add(placed());
      cluster.removePod("default/old");
      for (int i = 0; i < MANY; i++) {
        read(ofZone("passes", "b" + i, "n1"));
        cluster.removePod("default/passes");
      }
    }
    assertThat(nodes).containsExactly("n2", "n1", "n2", "n1");
  }

  /** A selector for each job: what jobs that ended wanted is forgotten, what others want is not. */
  @Test
  void wishesGoWithTheirPods() {
    read(named("n1"));
    read(named("n2"));
    read(alone("stays", "stays", "n1"));
    for (int i = 0; i < MANY; i++) {
      read(alone("job-" + i, "job-" + i, "n1"));
      cluster.removePod("default/job-" + i);
    }
    assertThat(cluster.wishes().all().size()).isLessThanOrEqualTo(PodClasses.FEW + 2);
    read(alone("second", "stays", ""));
    assertThat(placed()).isEqualTo("n2");
  }

  /** One that wants no other with its label on its node. */
  private static Map<String, Object> alone(String name, String app, String node) {
    Map<String, Object> pod = waiting(name, map(), map());
    pod.put("metadata", map("name", name, "namespace", "default", "labels", map("app", app)));
    Map<String, Object> term =
        map(
            "topologyKey",
            "kubernetes.io/hostname",
            "labelSelector",
            map("matchLabels", map("app", app)));
    Map<String, Object> required =
        map("requiredDuringSchedulingIgnoredDuringExecution", List.of(term));
    with(pod, "affinity", map("podAntiAffinity", required));
    return node.isEmpty() ? pod : with(pod, "nodeName", node);
  }

  @Test
  void podsWithVolumesKeepTheClassOfThoseWithout() {
    for (int i = 0; i < MANY; i++) {
      Map<String, Object> pod = waiting("p", map("cpu", "1"), map());
      Map<String, Object> claim = map("claimName", "c" + i);
      with(pod, "volumes", List.of(map("name", "v", "persistentVolumeClaim", claim)));
      read(pod);
      PodClass own = cluster.pod("default/p").podClass();
      assertThat(cluster.withoutVolumes(own).spec().volumes()).isEmpty();
      cluster.removePod("default/p");
    }
    assertThat(cluster.classes().size()).isLessThanOrEqualTo(PodClasses.FEW + 2);
  }

  private static Map<String, Object> named(String name) {
    Map<String, Object> node = node(name, "4");
    node.put("metadata", map("name", name, "labels", map("kubernetes.io/hostname", name)));
    return node;
  }

  private void read(Map<String, Object> object) {
    reader.read(Fields.of(object, ""));
  }

  private String placed() {
    List<String> nodes = new ArrayList<>();
    decider.judgeEach(decision -> nodes.add(decision.node()));
    return nodes.getFirst();
  }

  /** A pod on a node that is a class of its own by a label. */
  private static Map<String, Object> ofZone(String name, String zone, String node) {
    Map<String, Object> pod = waiting(name, map(), map());
    pod.put(
        "metadata",
        map("name", name, "namespace", "default", "labels", map("app", "web", "zone", zone)));
    return with(pod, "nodeName", node);
  }

  /** One that has to be where no pod of the app is, if there is such a node. */
  private static Map<String, Object> spread(String name) {
    Map<String, Object> pod = waiting(name, map("cpu", "1"), map());
    Map<String, Object> term =
        map(
            "topologyKey",
            "kubernetes.io/hostname",
            "labelSelector",
            map("matchLabels", map("app", "web")));
    Map<String, Object> preferred =
        map(
            "preferredDuringSchedulingIgnoredDuringExecution",
            List.of(map("weight", 100, "podAffinityTerm", term)));
    return with(pod, "affinity", map("podAntiAffinity", preferred));
  }
}
