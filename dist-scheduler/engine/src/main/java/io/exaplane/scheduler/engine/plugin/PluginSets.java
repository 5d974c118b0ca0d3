// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which plugins a profile has at an extension point, in which order and with which weight: the
 * defaults, what the profile says for all points at once, and what it says for single ones. Source:
 * pkg/scheduler/apis/config/v1/default_plugins.go, mergePluginSet; framework/runtime/framework.go,
 * expandMultiPointPlugins.
 */
final class PluginSets {
  private static final String ALL = "*";

  private final Fields plugins;
  private final Map<String, Integer> everywhere;

  /**
   * Of one profile.
   *
   * @param defaults by name, the weight of each; 0 if none is given
   */
  PluginSets(Fields plugins, Map<String, Integer> defaults) {
    this.plugins = plugins;
    everywhere = merged(defaults, plugins.child("multiPoint"));
  }

  /** What is enabled at a point, of the plugins that have something to do there. */
  Map<String, Integer> at(String point) {
    Set<String> able = Catalogue.at(point);
    Fields set = plugins.child(point);
    Map<String, Integer> own = weights(set, "enabled");
    List<String> off = List.copyOf(weights(set, "disabled").keySet());
    Map<String, Integer> others = new LinkedHashMap<>();
    List<String> overriding = new ArrayList<>();
    for (Map.Entry<String, Integer> plugin : everywhere.entrySet()) {
      if (!able.contains(plugin.getKey())) {
        continue;
      }
      if (off.contains(ALL) || off.contains(plugin.getKey())) {
        continue;
      }
      if (own.containsKey(plugin.getKey())) {
        overriding.add(plugin.getKey());
      } else {
        others.put(plugin.getKey(), plugin.getValue());
      }
    }
    Map<String, Integer> result = new LinkedHashMap<>();
    own.forEach((name, weight) -> putIf(overriding.contains(name), name, weight, result));
    result.putAll(others);
    own.forEach((name, weight) -> putIf(!overriding.contains(name), name, weight, result));
    return result;
  }

  private static void putIf(boolean put, String name, int weight, Map<String, Integer> result) {
    if (put) {
      result.put(name, weight);
    }
  }

  private static Map<String, Integer> merged(Map<String, Integer> defaults, Fields set) {
    Map<String, Integer> own = weights(set, "enabled");
    Map<String, Integer> off = weights(set, "disabled");
    Map<String, Integer> result = new LinkedHashMap<>();
    if (!off.containsKey(ALL)) {
      for (Map.Entry<String, Integer> plugin : defaults.entrySet()) {
        if (!off.containsKey(plugin.getKey())) {
          Integer weight = own.remove(plugin.getKey());
          result.put(plugin.getKey(), weight == null ? plugin.getValue() : weight);
        }
      }
    }
    result.putAll(own);
    return result;
  }

  private static Map<String, Integer> weights(Fields set, String name) {
    Map<String, Integer> weights = new LinkedHashMap<>();
    for (Fields plugin : set.children(name)) {
      weights.put(plugin.string("name"), (int) plugin.integer("weight", 0));
    }
    return weights;
  }
}
