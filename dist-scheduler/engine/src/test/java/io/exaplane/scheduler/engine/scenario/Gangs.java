// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.ProfileReader;
import java.util.List;
import java.util.Map;

/** What tests of gangs have in common. */
public final class Gangs {
  private Gangs() {}

  /** A scheduler that knows groups. */
  public static Profile profile() {
    return profile("default-scheduler");
  }

  /** A scheduler of a version that knows groups. */
  public static Profile profile(Version version) {
    return profile("default-scheduler", version);
  }

  /** One of this name. */
  public static Profile profile(String schedulerName) {
    return profile(schedulerName, Version.V1_36);
  }

  private static Profile profile(String schedulerName, Version version) {
    Map<String, Object> plugins =
        map("multiPoint", map("enabled", List.of(map("name", "GangScheduling"))));
    Map<String, Object> configuration =
        map(
            "apiVersion",
            "kubescheduler.config.k8s.io/v1",
            "kind",
            "KubeSchedulerConfiguration",
            "profiles",
            List.of(map("schedulerName", schedulerName, "plugins", plugins)));
    return new ProfileReader(version).read(Fields.of(configuration, "")).getFirst();
  }

  /** A PodGroup; the policy is as in its spec. */
  public static Map<String, Object> group(
      String namespace, String name, Map<String, Object> policy) {
    return map(
        "apiVersion",
        "scheduling.k8s.io/v1alpha2",
        "kind",
        "PodGroup",
        "metadata",
        map("name", name, "namespace", namespace, "uid", "uid-" + namespace + "-" + name),
        "spec",
        map("schedulingPolicy", policy));
  }

  /** A PodGroup of 1.37 with this spec. */
  public static Map<String, Object> workload(
      String namespace, String name, Map<String, Object> spec) {
    return map(
        "apiVersion",
        "scheduling.k8s.io/v1beta1",
        "kind",
        "PodGroup",
        "metadata",
        map("name", name, "namespace", namespace, "uid", "uid-" + namespace + "-" + name),
        "spec",
        spec);
  }

  /**
   * A claim for all devices of a pool of which only one of two slices is there: an error to any
   * scheduler.
   */
  public static List<Map<String, Object>> claimOfAllWhileNobodyKnowsHowMany(String name) {
    Map<String, Object> all = map("deviceClassName", "any", "allocationMode", "All");
    Map<String, Object> pool = map("name", "p", "generation", 1, "resourceSliceCount", 2);
    return List.of(
        device("DeviceClass", map("name", "any"), map()),
        device(
            "ResourceSlice",
            map("name", "s"),
            map("driver", "example.org", "pool", pool, "allNodes", true, "devices", List.of())),
        device(
            "ResourceClaim",
            map("name", name, "namespace", "default", "uid", name),
            map("devices", map("requests", List.of(map("name", "q", "exactly", all))))));
  }

  /** A claim of a device, and the only one there is. */
  public static List<Map<String, Object>> claimOfTheDeviceOn(String node, String name) {
    Map<String, Object> pool = map("name", node, "generation", 1, "resourceSliceCount", 1);
    Map<String, Object> request =
        map("name", "q", "exactly", map("deviceClassName", "any", "count", 1));
    return List.of(
        device("DeviceClass", map("name", "any"), map()),
        device(
            "ResourceSlice",
            map("name", "s"),
            map(
                "driver",
                "example.org",
                "pool",
                pool,
                "nodeName",
                node,
                "devices",
                List.of(map("name", "d")))),
        device(
            "ResourceClaim",
            map("name", name, "namespace", "default", "uid", name),
            map("devices", map("requests", List.of(request)))));
  }

  private static Map<String, Object> device(
      String kind, Map<String, Object> metadata, Map<String, Object> spec) {
    return map(
        "apiVersion", "resource.k8s.io/v1", "kind", kind, "metadata", metadata, "spec", spec);
  }
}
