// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten of thirty devices are there, in thirty million ways; what is asked for besides is not. */
class SearchLimitTest {
  private static final String API = "resource.k8s.io/v1";

  @Test
  void aSearchThatTakesTooLongEndsThePodsCycle() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (String node : List.of("n1", "n2")) {
      objects.add(
          map(
              "kind",
              "Node",
              "metadata",
              map("name", node),
              "status",
              map("allocatable", map("pods", "110"))));
      objects.add(slice(node));
    }
    objects.add(map("apiVersion", API, "kind", "DeviceClass", "metadata", map("name", "any")));
    objects.add(claim(List.of(request("q0", 10, null), request("q1", 1, "false"))));
    objects.add(
        map(
            "kind",
            "Pod",
            "metadata",
            map("name", "p", "namespace", "default"),
            "spec",
            map(
                "resourceClaims",
                List.of(map("name", "c", "resourceClaimName", "c")),
                "containers",
                List.of(map("name", "c")))));
    List<Decision> decisions = new ArrayList<>();
    Cluster cluster = Clusters.of(objects, Version.newest());
    new Decider(cluster, Profile.defaults(Version.newest()), 0, true).judgeEach(decisions::add);
    assertThat(decisions.getFirst().message())
        .isEqualTo(
            "running \"DynamicResources\" filter plugin: node n1: timed out trying to allocate"
                + " devices");
  }

  private static Map<String, Object> slice(String node) {
    List<Map<String, Object>> devices =
        IntStream.range(0, 30).mapToObj(i -> map("name", "d" + i)).toList();
    return map(
        "apiVersion",
        API,
        "kind",
        "ResourceSlice",
        "metadata",
        map("name", node),
        "spec",
        map(
            "driver",
            "d.example.org",
            "nodeName",
            node,
            "pool",
            map("name", node, "generation", 1, "resourceSliceCount", 1),
            "devices",
            devices));
  }

  private static Map<String, Object> request(String name, int count, String selector) {
    List<Map<String, Object>> selectors =
        selector == null ? null : List.of(map("cel", map("expression", selector)));
    return map(
        "name",
        name,
        "exactly",
        map("deviceClassName", "any", "count", count, "selectors", selectors));
  }

  private static Map<String, Object> claim(List<Map<String, Object>> requests) {
    return map(
        "apiVersion",
        API,
        "kind",
        "ResourceClaim",
        "metadata",
        map("name", "c", "namespace", "default"),
        "spec",
        map("devices", map("requests", requests)));
  }
}
