// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * kube-scheduler's plugins in their default order, each registered here and nowhere else: where it
 * has something to do, how much its scores weigh, how it is made of its arguments, and which
 * changes may help the pods that it refused. Source:
 * pkg/scheduler/apis/config/v1/default_plugins.go.
 */
final class Catalogue {
  private static final Version EVERY = Version.V1_34;
  static final String GATES = "SchedulingGates";
  private static final String NODE_NAME = "NodeName";
  private static final List<Entry> ENTRIES =
      List.of(
          new Entry(GATES, 0, EVERY, null, PluginHints::gates, "preEnqueue"),
          new Entry("PrioritySort", 0, EVERY, null, null, "queueSort"),
          new Entry(NODE_NAME, 0, EVERY, plain(NodeName::new), PluginHints::nodeName, "filter"),
          new Entry(
              "NodeUnschedulable",
              0,
              EVERY,
              plain(NodeUnschedulable::new),
              PluginHints::nodeUnschedulable,
              "filter"),
          new Entry(
              "TaintToleration",
              3,
              EVERY,
              plain(TaintToleration::new),
              PluginHints::taintToleration,
              "filter",
              "preScore",
              "score"),
          new Entry(
              "NodeAffinity",
              2,
              EVERY,
              PluginArguments::nodeAffinity,
              PluginHints::nodeAffinity,
              "preFilter",
              "filter",
              "preScore",
              "score"),
          new Entry(
              "NodePorts",
              0,
              EVERY,
              plain(NodePorts::new),
              PluginHints::nodePorts,
              "preFilter",
              "filter"),
          new Entry(
              "NodeResourcesFit",
              1,
              EVERY,
              PluginArguments::fit,
              PluginHints::fit,
              "preFilter",
              "filter",
              "preScore",
              "score"),
          new Entry(
              "VolumeRestrictions",
              0,
              EVERY,
              plain(VolumeRestrictions::new),
              PluginHints::volumeRestrictions,
              "preFilter",
              "filter"),
          new Entry(
              "NodeVolumeLimits",
              0,
              EVERY,
              (args, version) -> new NodeVolumeLimits(version),
              PluginHints::volumeLimits,
              "preFilter",
              "filter"),
          new Entry(
              "VolumeBinding",
              0,
              EVERY,
              PluginArguments::volumeBinding,
              PluginHints::volumeBinding,
              "preFilter",
              "filter",
              "preScore",
              "score"),
          new Entry(
              "VolumeZone",
              0,
              EVERY,
              plain(VolumeZone::new),
              PluginHints::volumeZone,
              "preFilter",
              "filter"),
          new Entry(
              "PodTopologySpread",
              2,
              EVERY,
              PluginArguments::spread,
              PluginHints::spread,
              "preFilter",
              "filter",
              "preScore",
              "score"),
          new Entry(
              "InterPodAffinity",
              2,
              EVERY,
              PluginArguments::interPodAffinity,
              PluginHints::interPodAffinity,
              "preFilter",
              "filter",
              "preScore",
              "score"),
          new Entry(
              DynamicResources.NAME,
              2,
              EVERY,
              PluginArguments::dynamicResources,
              PluginHints::dynamicResources,
              "preFilter",
              "filter",
              "postFilter",
              "score"),
          new Entry("DefaultPreemption", 0, EVERY, null, null, "postFilter"),
          new Entry(
              "NodeResourcesBalancedAllocation",
              1,
              EVERY,
              PluginArguments::balance,
              null,
              "preScore",
              "score"),
          new Entry(
              "ImageLocality",
              1,
              EVERY,
              (args, version) -> new ImageLocality(version),
              null,
              "score"),
          new Entry("DefaultBinder", 0, EVERY, null, null, "bind"),
          new Entry(
              "NodeDeclaredFeatures",
              0,
              Version.V1_36,
              plain(NodeDeclaredFeatures::new),
              PluginHints::declaredFeatures,
              "preFilter",
              "filter"),
          new Entry(
              GangScheduling.NAME, 0, null, null, PluginHints::gangs, "preEnqueue", "permit"));

  /** Makes a plugin of its arguments. */
  @FunctionalInterface
  interface Maker {
    Plugin make(Fields args, Version version);
  }

  /** Asks to be told of what may help the pods that a plugin refused. */
  @FunctionalInterface
  interface Hopes {
    /**
     * @param events takes down what the plugin asks for
     * @param plugin as the profile has it; null if it judges no node
     */
    void register(EventRegistrations events, Plugin plugin);
  }

  /**
   * A plugin.
   *
   * @param weight 0 if none is given
   * @param defaultSince the first version that has it unless it is told otherwise; null if none has
   * @param maker makes it of its arguments; null if it judges no node
   * @param hopes what may help the pods that it refused; null if it refuses none
   * @param points where it has something to do
   */
  private record Entry(
      String name, int weight, Version defaultSince, Maker maker, Hopes hopes, Set<String> points) {
    Entry(
        String name, int weight, Version defaultSince, Maker maker, Hopes hopes, String... points) {
      this(name, weight, defaultSince, maker, hopes, Set.of(points));
    }
  }

  private Catalogue() {}

  private static Maker plain(Supplier<Plugin> plugin) {
    return (args, version) -> plugin.get();
  }

  /** The names of all of them. */
  static List<String> names() {
    return ENTRIES.stream().map(Entry::name).toList();
  }

  /** Who makes a plugin of its arguments; null for those that judge no node. */
  static Maker maker(String plugin) {
    return ENTRIES.stream()
        .filter(entry -> entry.name().equals(plugin))
        .findFirst()
        .map(Entry::maker)
        .orElse(null);
  }

  /** What a plugin hopes for; null if it refuses no pod. */
  static Hopes hopes(String plugin) {
    return ENTRIES.stream()
        .filter(entry -> entry.name().equals(plugin))
        .findFirst()
        .map(Entry::hopes)
        .orElse(null);
  }

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
    for (Entry entry : inOrder(version)) {
      if (entry.defaultSince() != null && version.atLeast(entry.defaultSince())) {
        defaults.put(entry.name(), entry.weight());
      }
    }
    return defaults;
  }

  /** Until 1.36, a node's name was looked at after whether it is cordoned. */
  private static List<Entry> inOrder(Version version) {
    List<Entry> entries = new ArrayList<>(ENTRIES);
    if (!version.atLeast(Version.V1_37)) {
      int name = 0;
      while (!entries.get(name).name().equals(NODE_NAME)) {
        name++;
      }
      Collections.swap(entries, name, name + 1);
    }
    return entries;
  }
}
