// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * kube-scheduler's plugins in their default order: where each has something to do, and how much its
 * scores weigh. Source: pkg/scheduler/apis/config/v1/default_plugins.go.
 */
final class Catalogue {
  private static final Version EVERY = Version.V1_34;
  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("SchedulingGates", 0, EVERY, "preEnqueue"),
          new Entry("PrioritySort", 0, EVERY, "queueSort"),
          new Entry("NodeUnschedulable", 0, EVERY, "filter"),
          new Entry("NodeName", 0, EVERY, "filter"),
          new Entry("TaintToleration", 3, EVERY, "filter", "preScore", "score"),
          new Entry("NodeAffinity", 2, EVERY, "preFilter", "filter", "preScore", "score"),
          new Entry("NodePorts", 0, EVERY, "preFilter", "filter"),
          new Entry("NodeResourcesFit", 1, EVERY, "preFilter", "filter", "preScore", "score"),
          new Entry("VolumeRestrictions", 0, EVERY, "preFilter", "filter"),
          new Entry("NodeVolumeLimits", 0, EVERY, "preFilter", "filter"),
          new Entry("VolumeBinding", 0, EVERY, "preFilter", "filter", "preScore", "score"),
          new Entry("VolumeZone", 0, EVERY, "preFilter", "filter"),
          new Entry("PodTopologySpread", 2, EVERY, "preFilter", "filter", "preScore", "score"),
          new Entry("InterPodAffinity", 2, EVERY, "preFilter", "filter", "preScore", "score"),
          new Entry(DynamicResources.NAME, 2, EVERY, "preFilter", "filter", "postFilter", "score"),
          new Entry("DefaultPreemption", 0, EVERY, "postFilter"),
          new Entry("NodeResourcesBalancedAllocation", 1, EVERY, "preScore", "score"),
          new Entry("ImageLocality", 1, EVERY, "score"),
          new Entry("DefaultBinder", 0, EVERY, "bind"),
          new Entry("NodeDeclaredFeatures", 0, Version.V1_36, "preFilter", "filter"),
          new Entry(GangScheduling.NAME, 0, null, "preEnqueue", "permit"));

  /**
   * A plugin.
   *
   * @param weight 0 if none is given
   * @param defaultSince the first version that has it unless it is told otherwise; null if none has
   * @param points where it has something to do
   */
  private record Entry(String name, int weight, Version defaultSince, Set<String> points) {
    Entry(String name, int weight, Version defaultSince, String... points) {
      this(name, weight, defaultSince, Set.of(points));
    }
  }

  private Catalogue() {}

  static boolean has(String plugin) {
    return ENTRIES.stream().anyMatch(entry -> entry.name().equals(plugin));
  }

  /** The plugins that have something to do at an extension point. */
  static Set<String> at(String point) {
    return ENTRIES.stream()
        .filter(entry -> entry.points().contains(point))
        .map(Entry::name)
        .collect(Collectors.toSet());
  }

  /** By name, the weights of what a version has by default, in its order. */
  static Map<String, Integer> defaults(Version version) {
    Map<String, Integer> defaults = new LinkedHashMap<>();
    for (Entry entry : ENTRIES) {
      if (entry.defaultSince() != null && version.atLeast(entry.defaultSince())) {
        defaults.put(entry.name(), entry.weight());
      }
    }
    return defaults;
  }
}
