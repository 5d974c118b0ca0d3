// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Selectors;
import io.exaplane.scheduler.engine.model.SpreadConstraint;
import io.exaplane.scheduler.engine.model.TextList;
import io.exaplane.scheduler.engine.model.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Makes plugins of their arguments in a KubeSchedulerConfiguration, with kube-scheduler's defaults.
 * Source: pkg/scheduler/apis/config/v1/defaults.go and validation.
 */
final class PluginArguments {
  private static final String LEAST_ALLOCATED = "LeastAllocated";
  private static final Map<String, ScoringStrategy.Type> STRATEGIES =
      Map.of(
          LEAST_ALLOCATED,
          ScoringStrategy.Type.LEAST_ALLOCATED,
          "MostAllocated",
          ScoringStrategy.Type.MOST_ALLOCATED,
          "RequestedToCapacityRatio",
          ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO);

  private static final String LABEL_NAME = "a name as of labels, like example.org/name";
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*");

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final Version version;
  private final Map<String, Fields> arguments;
  private final Map<String, Plugin> made = new LinkedHashMap<>();

  /**
   * For one profile.
   *
   * @param arguments by the plugin's name
   */
  PluginArguments(Version version, Map<String, Fields> arguments) {
    this.version = version;
    this.arguments = arguments;
  }

  /** The plugin of this name, the same instance every time; null for those that judge no node. */
  Plugin plugin(String name) {
    Catalogue.Maker maker = Catalogue.maker(name);
    return maker == null ? null : made.computeIfAbsent(name, n -> maker.make(of(n), version));
  }

  /**
   * DefaultPreemption's arguments bound a search that kube-scheduler cuts short; the engine looks
   * at every candidate, so they are checked and no more.
   */
  void checkPreemption() {
    Fields args = of("DefaultPreemption");
    long percentage = args.integer("minCandidateNodesPercentage", 10);
    long absolute = args.integer("minCandidateNodesAbsolute", 100);
    check(percentage >= 0 && percentage <= 100, args, "minCandidateNodesPercentage", "0 to 100");
    check(absolute >= 0, args, "minCandidateNodesAbsolute", "at least 0");
    check(
        percentage > 0 || absolute > 0,
        args,
        "minCandidateNodesAbsolute",
        "above 0 if minCandidateNodesPercentage is 0");
  }

  private Fields of(String plugin) {
    return arguments.getOrDefault(plugin, Fields.of(Map.of(), ""));
  }

  /** As kube-scheduler has it of labels and resources: NAME, or DOMAIN/NAME. */
  private static boolean isName(String text) {
    int slash = text.indexOf('/');
    String name = text.substring(slash + 1);
    String domain = slash < 0 ? "x" : text.substring(0, slash);
    return name.length() <= 63
        && NAME.matcher(name).matches()
        && domain.length() <= 253
        && DOMAIN.matcher(domain).matches();
  }

  private static void check(boolean valid, Fields args, String field, String rule) {
    if (!valid) {
      throw new InvalidObjectException(
          args.path(field), args.raw(field), "it has to be " + rule, "fix the configuration");
    }
  }

  static Plugin nodeAffinity(Fields args, Version version) {
    Fields added = args.child("addedAffinity");
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    List<NodeSelector.Preferred> preferred = new ArrayList<>();
    for (Fields term : added.children("preferredDuringSchedulingIgnoredDuringExecution")) {
      preferred.add(
          new NodeSelector.Preferred(
              (int) term.integer("weight", 0), Selectors.term(term.child("preference"))));
    }
    return new NodeAffinity(
        added.has(required) ? Selectors.nodeSelector(added.child(required)) : null, preferred);
  }

  static Plugin volumeBinding(Fields args, Version version) {
    check(args.integer("bindTimeoutSeconds", 600) >= 0, args, "bindTimeoutSeconds", "at least 0");
    if (version.atLeast(Version.V1_37)) {
      List<ScoringStrategy.Point> shape = shape(args);
      return new VolumeBinding(shape.isEmpty() ? VolumeBinding.LEAST_TAKEN : shape);
    }
    check(
        !args.has("shape"),
        args,
        "shape",
        "absent before 1.37: StorageCapacityScoring is off by default");
    return new VolumeBinding(List.of());
  }

  static Plugin interPodAffinity(Fields args, Version version) {
    long weight = args.integer("hardPodAffinityWeight", 1);
    check(weight >= 0 && weight <= 100, args, "hardPodAffinityWeight", "0 to 100");
    return new InterPodAffinity(
        (int) weight, args.bool("ignorePreferredTermsOfExistingPods", false), version);
  }

  static Plugin spread(Fields args, Version version) {
    List<SpreadConstraint> constraints =
        args.children("defaultConstraints").stream().map(Selectors::spreadConstraint).toList();
    String type = args.string("defaultingType", "System");
    check(type.equals("System") || type.equals("List"), args, "defaultingType", "System or List");
    if (type.equals("System")) {
      check(
          constraints.isEmpty(),
          args,
          "defaultConstraints",
          "absent unless defaultingType is List");
      return PodTopologySpread.system();
    }
    Set<String> seen = new TreeSet<>();
    for (Fields constraint : args.children("defaultConstraints")) {
      check(
          !constraint.has("labelSelector"),
          constraint,
          "labelSelector",
          "absent: it comes from Services and controllers");
      check(constraint.integer("maxSkew", 0) > 0, constraint, "maxSkew", "above 0");
      check(isName(constraint.string("topologyKey")), constraint, "topologyKey", LABEL_NAME);
      check(
          seen.add(constraint.string("topologyKey") + " " + constraint.string("whenUnsatisfiable")),
          constraint,
          "topologyKey",
          "another one for each constraint of the same whenUnsatisfiable");
    }
    return new PodTopologySpread(constraints, false);
  }

  /**
   * How long a filter may take is checked and no more: the engine's searches end after so many
   * steps.
   */
  static Plugin dynamicResources(Fields args, Version version) {
    long filter = args.parsed("filterTimeout", TEN_SECONDS, GoDuration::parse).toNanos();
    check(filter >= 0, args, "filterTimeout", "at least 0s");
    check(
        version.atLeast(Version.V1_35) || !args.has("bindingTimeout"),
        args,
        "bindingTimeout",
        "absent before 1.35");
    Duration binding = args.parsed("bindingTimeout", TEN_MINUTES, GoDuration::parse);
    check(binding.toSeconds() >= 1, args, "bindingTimeout", "at least 1s");
    return new DynamicResources(version, binding.toNanos());
  }

  static Plugin fit(Fields args, Version version) {
    Set<String> ignored = new TreeSet<>(args.strings("ignoredResources"));
    Set<String> groups = new TreeSet<>(args.strings("ignoredResourceGroups"));
    check(ignored.stream().allMatch(PluginArguments::isName), args, "ignoredResources", LABEL_NAME);
    check(
        groups.stream().allMatch(group -> isName(group) && !group.contains("/")),
        args,
        "ignoredResourceGroups",
        LABEL_NAME + " without /");
    return new NodeResourcesFit(strategy(args), ignored, groups, version);
  }

  static Plugin balance(Fields args, Version version) {
    Set<String> seen = new TreeSet<>();
    for (Fields resource : args.children("resources")) {
      long weight = resource.integer("weight", 0);
      check(weight == 0 || weight == 1, resource, "weight", "1");
      check(seen.add(resource.string("name")), resource, "name", "another one for each resource");
    }
    return new NodeResourcesBalancedAllocation(resources(args), version);
  }

  private static ScoringStrategy strategy(Fields fit) {
    Fields args = fit.child("scoringStrategy");
    boolean given = fit.has("scoringStrategy");
    ScoringStrategy.Type type = STRATEGIES.get(args.string("type", given ? "" : LEAST_ALLOCATED));
    check(type != null, args, "type", "one of " + TextList.of(STRATEGIES.keySet()));
    check(
        type == ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO
            || !args.has("requestedToCapacityRatio"),
        args,
        "requestedToCapacityRatio",
        "absent unless type is RequestedToCapacityRatio");
    List<ScoringStrategy.Point> shape = new ArrayList<>();
    if (type == ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO) {
      Fields ratio = args.child("requestedToCapacityRatio");
      shape = shape(ratio);
      check(!shape.isEmpty(), ratio, "shape", "given when type is RequestedToCapacityRatio");
    }
    return new ScoringStrategy(type, resources(args), shape);
  }

  private static List<ScoringStrategy.Point> shape(Fields ratio) {
    List<ScoringStrategy.Point> shape = new ArrayList<>();
    for (Fields point : ratio.children("shape")) {
      long utilization = point.integer("utilization", 0);
      long score = point.integer("score", 0);
      long before = shape.isEmpty() ? -1 : shape.getLast().utilization();
      check(
          utilization > before && utilization <= 100,
          point,
          "utilization",
          "0 to 100 and above the one before");
      check(score >= 0 && score <= 10, point, "score", "0 to 10");
      shape.add(new ScoringStrategy.Point(utilization, score * 10));
    }
    return shape;
  }

  private static List<ScoringStrategy.Weighted> resources(Fields args) {
    List<ScoringStrategy.Weighted> resources = new ArrayList<>();
    for (Fields resource : args.children("resources")) {
      long weight = resource.integer("weight", 0);
      check(weight >= 0 && weight <= 100, resource, "weight", "1 to 100");
      resources.add(
          new ScoringStrategy.Weighted(resource.string("name"), weight == 0 ? 1 : weight));
    }
    return resources.isEmpty() ? ScoringStrategy.defaults().resources() : resources;
  }
}
