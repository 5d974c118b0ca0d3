// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.ScenarioMaker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The engine says what the readable rules say, while pods are placed one after another. */
class ReferenceTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 600);

  /** How many pods of each that a scenario has. */
  private static final int ALIKE = Integer.getInteger("alike", 2);

  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));

  @Test
  void engineJudgesAsTheReference() {
    long placed = 0;
    long decided = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<Map<String, Object>> objects = new ScenarioMaker(seed).withoutDevices().objects();
      Cluster cluster = Clusters.of(objects, Version.V1_36);
      Cycle cycle = new Cycle(cluster, Profile.defaults(Version.V1_36), seed);
      List.copyOf(cluster.pods()).forEach(pod -> forgetNomination(cluster, pod));
      for (PlacedPod pod : List.copyOf(cluster.pods())) {
        for (int copy = 0; isPlain(pod) && copy < ALIKE; copy++) {
          decided++;
          placed += compare(cluster, cycle, copyOf(cluster, pod, copy)) ? 1 : 0;
        }
      }
    }
    System.out.printf("%d pods, %d placed: as the reference has them%n", decided, placed);
    assertThat(placed).isGreaterThan(SCENARIOS);
  }

  /** Judges and places a pod; false if there is no node for it. */
  private static boolean compare(Cluster cluster, Cycle cycle, PlacedPod pod) {
    Judgement judgement = cycle.judge(pod);
    assertThat(answers(cluster, judgement))
        .as("pod %s, seeds from %d on", pod.pod().key(), FIRST_SEED)
        .isEqualTo(expected(cluster, judgement, pod));
    int best = cycle.best();
    if (best >= 0) {
      cluster.bind(pod, best);
    }
    return best >= 0;
  }

  private static PlacedPod copyOf(Cluster cluster, PlacedPod pod, int number) {
    Pod first = pod.pod();
    String name = first.name() + "-" + number;
    cluster.putPod(
        new Pod(name, first.spec(), name, "", "", false, first.createdNs(), 0, false, ""));
    return cluster.pod(first.spec().namespace() + "/" + name);
  }

  private static void forgetNomination(Cluster cluster, PlacedPod pod) {
    if (!pod.pod().nominatedNode().isEmpty()) {
      cluster.nominate(pod, "");
    }
  }

  private static boolean isPlain(PlacedPod pod) {
    return pod.pod().nodeName().isEmpty()
        && !pod.pod().finished()
        && pod.spec().schedulingGates().isEmpty()
        && pod.spec().volumes().isEmpty();
  }

  /** Before any node is asked, NodeAffinity may rule them out; the reference asks all the same. */
  private static Map<String, String> expected(Cluster cluster, Judgement judgement, PlacedPod pod) {
    Map<String, String> expected = new Reference(cluster).judge(pod.spec());
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (!judgement.isFeasible(node) && judgement.refusal(node).plugin().isEmpty()) {
        assertThat(expected.get(cluster.nodes().node(node).name())).matches("[A-Z].*");
        expected.put(cluster.nodes().node(node).name(), "");
      }
      if (judgement.rejection() != null) {
        expected.put(cluster.nodes().node(node).name(), judgement.rejection().plugin());
      }
    }
    return expected;
  }

  private static Map<String, String> answers(Cluster cluster, Judgement judgement) {
    Map<String, String> answers = new TreeMap<>();
    for (int i = 0; i < judgement.feasibleCount(); i++) {
      answers.put(cluster.nodes().node(judgement.feasible(i)).name(), "" + judgement.total(i));
    }
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (!judgement.isFeasible(node)) {
        answers.put(cluster.nodes().node(node).name(), judgement.refusal(node).plugin());
      }
    }
    return answers;
  }
}
