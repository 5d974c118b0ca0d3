// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.TextList;
import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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

  private static final long MAX_BACKOFF_SECONDS = 10;

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
    StrictFields.check(configuration, "configuration");
    refuse(configuration, "extenders", "extenders decide over HTTP, which the engine does not do");
    checkProcess(configuration);
    warnAboutSampling(configuration);
    List<Profile> profiles = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Fields profile : configuration.children("profiles")) {
      warnAboutSampling(profile);
      profiles.add(profile(profile));
      if (profile.has("schedulerName") || configuration.children("profiles").size() > 1) {
        profile.required("schedulerName");
      }
      if (!names.add(profiles.getLast().schedulerName())) {
        throw new InvalidObjectException(
            profile.path("schedulerName"),
            profiles.getLast().schedulerName(),
            "each profile has its own name",
            "rename one");
      }
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
          fields.path(name), fields.children(name).size(), why, "leave them out");
    }
  }

  /** What decides nothing here, and would keep kube-scheduler from starting. */
  private static void checkProcess(Fields configuration) {
    if (configuration.has("parallelism")) {
      configuration.between("parallelism", 1, Integer.MAX_VALUE);
    }
    long first = configuration.atLeast("podInitialBackoffSeconds", 1, 1);
    configuration.atLeast("podMaxBackoffSeconds", first, MAX_BACKOFF_SECONDS);
  }

  private void warnAboutSampling(Fields fields) {
    if (!fields.has("percentageOfNodesToScore")) {
      return;
    }
    int percentage = fields.between("percentageOfNodesToScore", 0, 100);
    if (percentage != 100) {
      warnings.add(
          fields.path("percentageOfNodesToScore")
              + ": "
              + percentage
              + " has no effect: the engine always evaluates every node");
    }
  }

  private Profile profile(Fields profile) {
    Map<String, Fields> arguments = new HashMap<>();
    for (Fields config : profile.children("pluginConfig")) {
      check(config.string("name"), config.path("name"));
      StrictFields.checkArguments(config.child("args"), config.string("name"));
      if (arguments.put(config.string("name"), config.child("args")) != null) {
        throw new InvalidObjectException(
            config.path("name"), config.string("name"), "it is configured twice", "leave one out");
      }
    }
    Fields plugins = profile.child("plugins");
    for (String point : plugins.names()) {
      Set<String> enabled = new HashSet<>();
      for (Fields plugin : plugins.child(point).children("enabled")) {
        if (!enabled.add(plugin.string("name"))) {
          throw new InvalidObjectException(
              plugin.path("name"), plugin.string("name"), "it is enabled twice", "leave one out");
        }
        check(plugin.string("name"), plugin.path("name"));
        checkPoint(plugin, point);
        if (plugin.has("weight")) {
          plugin.between("weight", 0, Integer.MAX_VALUE);
        }
      }
    }
    PluginSets sets = new PluginSets(plugins, Catalogue.defaults(version));
    PluginArguments args = new PluginArguments(version, arguments);
    Map<String, Integer> filters = sets.at("filter");
    Map<String, Integer> scores = sets.at("score");
    same(plugins, "preFilter", "filter", sets);
    prepared(plugins, sets);
    requireOne(plugins, "queueSort", sets);
    requireOne(plugins, "bind", sets);
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
          sets.at(gated ? "permit" : "preEnqueue").keySet(),
          "a gang is waited for and let go by the same plugin, " + GangScheduling.NAME,
          "enable it at multiPoint");
    }
    if (gated && !version.atLeast(Version.V1_36)) {
      throw new InvalidObjectException(
          plugins.path("multiPoint"),
          GangScheduling.NAME,
          "kube-scheduler %s has no groups of pods (scheduling.k8s.io/v1alpha2)".formatted(version),
          "leave it out, or decide as 1.36 or 1.37");
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

  /** The order in which scores are added up does not matter. */
  private static void prepared(Fields plugins, PluginSets sets) {
    Set<String> able = Catalogue.at("preScore");
    Set<String> prepared = sets.at("preScore").keySet();
    for (String plugin : sets.at("score").keySet()) {
      if (able.contains(plugin) && !prepared.contains(plugin)) {
        throw new InvalidObjectException(
            plugins.path("preScore"),
            prepared,
            "%s, which is at score, has to be at preScore, too".formatted(plugin),
            "enable it there, or disable it at score");
      }
    }
  }

  private static void requireOne(Fields plugins, String point, PluginSets sets) {
    if (sets.at(point).size() != 1) {
      throw new InvalidObjectException(
          plugins.path(point),
          sets.at(point).keySet(),
          "it has to have " + TextList.of(Catalogue.at(point)),
          "enable it");
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
