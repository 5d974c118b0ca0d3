// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.model.PlacedPod;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.placement.Cycle;
import io.exaplane.scheduler.placement.Judgement;
import io.exaplane.scheduler.scenario.Clusters;
import io.exaplane.scheduler.scenario.ScenarioMaker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The engine says what the readable rules say, while pods are placed one after another. */
class ReferenceTest {
  private static final int SCENARIOS = Integer.getInteger("scenarios", 600);
  private static final long FIRST_SEED =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 40));

  @Test
  void engineJudgesAsTheReference() {
    long verdicts = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      List<Map<String, Object>> objects = new ScenarioMaker(seed).objects();
      Cluster cluster = Clusters.of(objects, Version.V1_36);
      Cycle cycle = new Cycle(cluster, Profile.defaults(Version.V1_36), seed);
      List.copyOf(cluster.pods()).forEach(pod -> forgetNomination(cluster, pod));
      for (PlacedPod pod : List.copyOf(cluster.pods())) {
        if (isPlain(pod)) {
          Judgement judgement = cycle.judge(pod);
          Map<String, String> ours = answers(cluster, judgement);
          assertThat(ours)
              .as("seed %d, pod %s", seed, pod.pod().key())
              .isEqualTo(expected(cluster, judgement, pod));
          verdicts += ours.size();
          if (cycle.best() >= 0) {
            cluster.bind(pod, cycle.best());
          }
        }
      }
    }
    assertThat(verdicts).isGreaterThan(SCENARIOS);
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
