// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static io.exaplane.scheduler.engine.scenario.Plain.node;
import static io.exaplane.scheduler.engine.scenario.Plain.waiting;
import static io.exaplane.scheduler.engine.scenario.Plain.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.Judgement;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scores by alternatives, as kube-scheduler 1.36 gives them. */
class RankedScoreTest {
  private static final String RESOURCE = "example.org/gpu";

  /**
   * Once anything is looked for, alternatives of claims that have their devices count as well;
   * seeds of the differential test bring that about once in twenty thousand clusters.
   */
  @Test
  void whatAClaimHasCountsWhileDevicesForResourcesAreLookedFor() {
    assertThat(scores(map(RESOURCE, "1"))).containsExactly(200L, 200L);
    assertThat(scores(map("cpu", "1"))).containsExactly(0L, 0L);
  }

  private static List<Long> scores(Map<String, Object> requests) {
    Map<String, Object> pod = waiting("p", requests, map());
    with(pod, "resourceClaims", List.of(map("name", "c", "resourceClaimName", "c")));
    List<Map<String, Object>> objects =
        List.of(withResource(node("n1", "4")), withResource(node("n2", "4")), pod, kind(), claim());
    List<Long> scores = new ArrayList<>();
    new Decider(Clusters.of(objects, Version.newest()), Profile.defaults(Version.newest()), 0, true)
        .judgeEach(
            decision -> {
              Judgement judgement = decision.judgement();
              int scorer = judgement.scorers().indexOf("DynamicResources");
              for (int i = 0; i < judgement.feasibleCount(); i++) {
                scores.add(judgement.score(scorer, i));
              }
            });
    return scores;
  }

  private static Map<String, Object> withResource(Map<String, Object> node) {
    node.put("status", map("allocatable", map("cpu", "4", "pods", "9", RESOURCE, "1")));
    return node;
  }

  private static Map<String, Object> kind() {
    return map(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "DeviceClass",
        "metadata",
        map("name", "gpu"),
        "spec",
        map("extendedResourceName", RESOURCE));
  }

  private static Map<String, Object> claim() {
    Map<String, Object> first = map("name", "o", "deviceClassName", "gpu", "count", 1);
    Map<String, Object> request = map("name", "q", "firstAvailable", List.of(first));
    Map<String, Object> result =
        map("request", "q/o", "driver", "example.org", "pool", "shared", "device", "d");
    return map(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "ResourceClaim",
        "metadata",
        map("name", "c", "namespace", "default", "uid", "c"),
        "spec",
        map("devices", map("requests", List.of(request))),
        "status",
        map("allocation", map("devices", map("results", List.of(result)))));
  }
}
