// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.InvalidObjectException;
import io.exaplane.scheduler.model.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1): profiles with plugins,
 * weights and arguments. What only concerns kube-scheduler's process is passed over; what would
 * change decisions in a way that the engine does not know is refused by name.
 */
public final class ProfileReader {
  private static final String API_VERSION = "kubescheduler.config.k8s.io/v1";

  /** The extension points at which it has to be known what a plugin does. */
  private static final Set<String> JUDGING =
      Set.of("preFilter", "filter", "preScore", "score", "permit");

  private final Version version;
  private final List<String> warnings = new ArrayList<>();

  public ProfileReader(Version version) {
    this.version = version;
  }

  /**
   * The profiles of a configuration, in its order; one if it has none.
   *
   * @throws InvalidObjectException if kube-scheduler would not start with it, or the engine does
   *     not decide as it would
   */
  public List<Profile> read(Fields configuration) {
    String api = configuration.string("apiVersion");
    if (!api.equals(API_VERSION)
        || !configuration.string("kind").equals("KubeSchedulerConfiguration")) {
      throw new InvalidObjectException(
          "apiVersion",
          api + " " + configuration.string("kind"),
          "it has to be " + API_VERSION + " KubeSchedulerConfiguration",
          "name a scheduler's configuration");
    }
    refuse(configuration, "extenders", "extenders decide over HTTP, which the engine does not do");
    warnAboutSampling(configuration);
    List<Profile> profiles = new ArrayList<>();
    for (Fields profile : configuration.children("profiles")) {
      warnAboutSampling(profile);
      profiles.add(profile(profile));
    }
    return profiles.isEmpty() ? List.of(unconfigured()) : profiles;
  }

  /** kube-scheduler as it is without a configuration. */
  Profile unconfigured() {
    return profile(Fields.of(Map.of(), ""));
  }

  /** What was passed over though it would change what kube-scheduler decides. */
  public List<String> warnings() {
    return warnings;
  }

  private static void refuse(Fields fields, String name, String why) {
    if (!fields.children(name).isEmpty()) {
      throw new InvalidObjectException(
          fields.path(name), fields.children(name).size() + " entries", why, "leave them out");
    }
  }

  private void warnAboutSampling(Fields fields) {
    long percentage = fields.integer("percentageOfNodesToScore", 100);
    if (percentage != 100) {
      warnings.add(
          fields.path("percentageOfNodesToScore")
              + ": "
              + percentage
              + " is not respected: every node is looked at, as with 100");
    }
  }

  private Profile profile(Fields profile) {
    Map<String, Fields> arguments = new HashMap<>();
    for (Fields config : profile.children("pluginConfig")) {
      check(config.string("name"), config.path("name"));
      if (arguments.put(config.string("name"), config.child("args")) != null) {
        throw new InvalidObjectException(
            config.path("name"), config.string("name"), "it is configured twice", "leave one out");
      }
    }
    Fields plugins = profile.child("plugins");
    for (String point : plugins.names()) {
      for (Fields plugin : plugins.child(point).children("enabled")) {
        check(plugin.string("name"), plugin.path("name"));
        checkPoint(plugin, point);
      }
    }
    PluginSets sets = new PluginSets(plugins, Catalogue.defaults(version));
    PluginArguments args = new PluginArguments(version, arguments);
    Map<String, Integer> filters = sets.at("filter");
    Map<String, Integer> scores = sets.at("score");
    same(plugins, "preFilter", "filter", sets);
    same(plugins, "preScore", "score", sets);
    args.checkPreemption();
    List<String> postFilters = postFilters(plugins, sets);
    Map<String, Integer> gates = sets.at("preEnqueue");
    return new Profile(
        profile.string("schedulerName", "default-scheduler"),
        version,
        gates.containsKey("SchedulingGates"),
        filters.keySet().stream().map(args::plugin).toList(),
        scores.entrySet().stream()
            .map(s -> new Profile.WeightedScore(args.plugin(s.getKey()), Math.max(1, s.getValue())))
            .toList(),
        postFilters.contains(DynamicResources.NAME),
        postFilters.contains("DefaultPreemption"),
        schedulesGangs(plugins, sets));
  }

  private static List<String> postFilters(Fields plugins, PluginSets sets) {
    List<String> asked = List.copyOf(sets.at("postFilter").keySet());
    if (asked.indexOf(DynamicResources.NAME) > 0) {
      throw new InvalidObjectException(
          plugins.path("postFilter"),
          asked,
          "the engine lets claims give devices up before anybody has to go",
          "name DynamicResources before the others");
    }
    return asked;
  }

  private boolean schedulesGangs(Fields plugins, PluginSets sets) {
    boolean gated = sets.at("preEnqueue").containsKey(GangScheduling.NAME);
    boolean permitted = sets.at("permit").containsKey(GangScheduling.NAME);
    if (gated != permitted) {
      throw new InvalidObjectException(
          plugins.path(gated ? "permit" : "preEnqueue"),
          "without " + GangScheduling.NAME,
          "a gang is waited for and let go by the same plugin",
          "enable it at multiPoint");
    }
    if (gated && !version.atLeast(Version.V1_36)) {
      throw new InvalidObjectException(
          plugins.path("multiPoint"),
          GangScheduling.NAME,
          "kube-scheduler %s has no groups of pods (scheduling.k8s.io/v1alpha2)".formatted(version),
          "leave it out, or decide as 1.36");
    }
    return gated;
  }

  /** What a plugin knows before it looks at nodes and what it says of them go together here. */
  private static void same(Fields plugins, String before, String point, PluginSets sets) {
    List<String> prepared = List.copyOf(sets.at(before).keySet());
    Set<String> able = Catalogue.at(before);
    List<String> asked = sets.at(point).keySet().stream().filter(able::contains).toList();
    if (!prepared.equals(asked)) {
      throw new InvalidObjectException(
          plugins.path(before),
          prepared,
          "the engine takes the same plugins in the same order at %s and at %s, which has %s"
              .formatted(before, point, asked),
          "enable and disable plugins at multiPoint, or at both alike");
    }
  }

  private static void checkPoint(Fields plugin, String point) {
    if (JUDGING.contains(point) && !Catalogue.at(point).contains(plugin.string("name"))) {
      throw new InvalidObjectException(
          plugin.path("name"),
          plugin.string("name"),
          "it has nothing to do at " + point,
          "enable it elsewhere");
    }
  }

  private static void check(String plugin, String path) {
    if (!Catalogue.has(plugin)) {
      throw new InvalidObjectException(
          path, plugin, "the engine has no plugin of this name", "leave it out");
    }
  }
}
