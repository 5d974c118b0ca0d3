// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.scenario.KnownSelectors;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectReaderTest {
  private final ObjectReader reader =
      new ObjectReader(new Cluster(new KnownSelectors()), Version.V1_36);

  /** Values that no API server stores, and that would change what is decided without a word. */
  @ParameterizedTest
  @MethodSource
  void refuses(Map<String, Object> object, String message) {
    assertThatThrownBy(() -> reader.read(Fields.ofObject(object)))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageStartingWith(message);
  }

  private static Stream<Arguments> refuses() {
    Map<String, Object> spread =
        map("maxSkew", 1, "topologyKey", "zone", "whenUnsatisfiable", "doNotSchedule");
    Map<String, Object> term = map("weight", 1000, "podAffinityTerm", map("topologyKey", "zone"));
    String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    return Stream.of(
        Arguments.of(
            pod("topologySpreadConstraints", List.of(spread)),
            "Pod p: spec.topologySpreadConstraints[0].whenUnsatisfiable: \"doNotSchedule\" is not valid: it has to be one of DoNotSchedule, ScheduleAnyway"),
        Arguments.of(
            pod("topologySpreadConstraints", List.of(map("topologyKey", "zone"))),
            "Pod p: spec.topologySpreadConstraints[0].maxSkew: 0 is not valid: it has to be at least 1"),
        Arguments.of(
            pod("tolerations", List.of(map("operator", "Exits"))),
            "Pod p: spec.tolerations[0].operator: \"Exits\" is not valid"),
        Arguments.of(
            pod("preemptionPolicy", "never"),
            "Pod p: spec.preemptionPolicy: \"never\" is not valid"),
        Arguments.of(
            pod("affinity", map("podAffinity", map(preferred, List.of(term)))),
            "Pod p: spec.affinity.podAffinity.%s[0].weight: 1000 is not valid: it has to be 1 to 100"
                .formatted(preferred)),
        Arguments.of(
            pod("affinity", map("podAntiAffinity", map(required, List.of(map())))),
            "Pod p: spec.affinity.podAntiAffinity.%s[0].topologyKey: \"\" is not valid: it has to be given"
                .formatted(required)),
        Arguments.of(
            pod("containers", List.of(map("resources", map("requests", map("cpu", "-1"))))),
            "Pod p: spec.containers[0].resources.requests.cpu: \"-1\" is not valid: it has to be at least 0"),
        Arguments.of(
            map(
                "kind",
                "Node",
                "metadata",
                map("name", "n"),
                "spec",
                map("taints", List.of(map("key", "a", "effect", "Noschedule")))),
            "Node n: spec.taints[0].effect: \"Noschedule\" is not valid"),
        Arguments.of(
            object("v1", "Node", "status", map("allocatable", map("cpu", "-4"))),
            "Node p: status.allocatable.cpu: \"-4\" is not valid"),
        Arguments.of(
            map(
                "kind",
                "StorageClass",
                "metadata",
                map("name", "s"),
                "volumeBindingMode",
                "waitForFirstConsumer"),
            "StorageClass s: volumeBindingMode: \"waitForFirstConsumer\" is not valid"),
        Arguments.of(
            object("v1", "PersistentVolumeClaim", "spec", map("accessModes", List.of("RWOP"))),
            "PersistentVolumeClaim p: spec.accessModes: [RWOP] is not valid"),
        Arguments.of(
            object(
                "scheduling.k8s.io/v1alpha2",
                "PodGroup",
                "spec",
                map("schedulingPolicy", map("gang", map("minCont", 3)))),
            "PodGroup p: spec.schedulingPolicy.gang.minCount: 0 is not valid: it has to be at least 1"),
        Arguments.of(
            object("resource.k8s.io/v1", "ResourceSlice", "spec", map("drivr", "gpu")),
            "ResourceSlice p: spec.driver: \"\" is not valid: it has to be given"),
        Arguments.of(
            object("v2", "Pod", "spec", map()),
            "Pod p: apiVersion: \"v2\" is not valid: it has to be v1"),
        Arguments.of(
            object("policy/v1beta1", "PodDisruptionBudget", "spec", map()),
            "PodDisruptionBudget p: apiVersion: \"policy/v1beta1\" is not valid: it has to be policy/v1"));
  }

  /** Consumers have to take effects of devices that they do not know for none. */
  @Test
  void takesEffectsOfDevicesThatComeLater() {
    Map<String, Object> device =
        map("name", "d", "taints", List.of(map("key", "a", "effect", "Later")));
    Map<String, Object> slice =
        map("driver", "x", "pool", map("name", "p"), "devices", List.of(device));
    Map<String, Object> option =
        map("deviceClassName", "c", "tolerations", List.of(map("key", "a", "effect", "None")));
    Map<String, Object> claim =
        map("devices", map("requests", List.of(map("name", "r", "exactly", option))));
    assertThat(read("resource.k8s.io/v1", "ResourceSlice", slice)).isTrue();
    assertThat(read("resource.k8s.io/v1beta2", "ResourceClaim", claim)).isTrue();
  }

  private boolean read(String version, String kind, Map<String, Object> spec) {
    return reader.read(Fields.ofObject(object(version, kind, "spec", spec)));
  }

  @Test
  void passesOverKindsOfOthers() {
    for (String version : List.of("apps/v1", "mesh.example.org/v1")) {
      assertThat(reader.read(Fields.ofObject(object(version, "Pod", "spec", map())))).isFalse();
    }
    assertThat(reader.read(Fields.ofObject(object("v1", "Secret", "data", map())))).isFalse();
  }

  private static Map<String, Object> pod(String field, Object value) {
    return object("v1", "Pod", "spec", map(field, value));
  }

  private static Map<String, Object> object(
      String version, String kind, String part, Map<String, Object> fields) {
    return map("apiVersion", version, "kind", kind, "metadata", map("name", "p"), part, fields);
  }
}
