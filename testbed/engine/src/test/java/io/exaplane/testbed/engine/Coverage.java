// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.GangScheduling;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the oracle's answers brought about, and what they have to. */
final class Coverage {
  private static final Set<String> REQUIRED =
      Set.of(
          "filter SchedulingGates UnschedulableAndUnresolvable: waiting for scheduling gates:"
              + " [example.org/one two]",
          "filter NodeUnschedulable UnschedulableAndUnresolvable: node(s) were unschedulable",
          "filter TaintToleration UnschedulableAndUnresolvable: node(s) had untolerated taint(s)",
          "filter NodeAffinity UnschedulableAndUnresolvable: node(s) didn't match Pod's node"
              + " affinity/selector",
          "filter NodeAffinity UnschedulableAndUnresolvable: pod affinity terms conflict",
          "filter  UnschedulableAndUnresolvable: node(s) didn't satisfy plugin(s) [NodeAffinity]",
          "filter NodePorts Unschedulable: node(s) didn't have free ports for the requested pod"
              + " ports",
          "filter NodeResourcesFit Unschedulable: Too many pods",
          "filter NodeResourcesFit Unschedulable: Insufficient cpu",
          "filter NodeResourcesFit UnschedulableAndUnresolvable: Insufficient cpu",
          "filter NodeResourcesFit Unschedulable: Insufficient memory",
          "filter NodeResourcesFit UnschedulableAndUnresolvable: Insufficient memory",
          "filter NodeResourcesFit Unschedulable: Insufficient ephemeral-storage",
          "filter NodeResourcesFit UnschedulableAndUnresolvable: Insufficient ephemeral-storage",
          "filter NodeResourcesFit Unschedulable: Insufficient example.org/gpu",
          "filter NodeResourcesFit UnschedulableAndUnresolvable: Insufficient example.org/gpu",
          "filter NodeResourcesFit Unschedulable: Insufficient hugepages-2Mi",
          "filter PodTopologySpread Unschedulable: node(s) didn't match pod topology spread"
              + " constraints",
          "filter PodTopologySpread UnschedulableAndUnresolvable: node(s) didn't match pod topology"
              + " spread constraints (missing required label)",
          "filter InterPodAffinity UnschedulableAndUnresolvable: node(s) didn't match pod affinity"
              + " rules",
          "filter InterPodAffinity Unschedulable: node(s) didn't match pod anti-affinity rules",
          "filter InterPodAffinity Unschedulable: node(s) didn't satisfy existing pods"
              + " anti-affinity rules",
          "filter NodeDeclaredFeatures UnschedulableAndUnresolvable: node(s) didn't match Pod's"
              + " required features",
          "filter VolumeRestrictions Unschedulable: node(s) had no available disk",
          "filter VolumeRestrictions Unschedulable: node(s) unavailable due to"
              + " PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another"
              + " pod",
          "filter NodeVolumeLimits Unschedulable: node(s) exceed max volume count",
          "filter VolumeBinding UnschedulableAndUnresolvable: node(s) didn't match"
              + " PersistentVolume's node affinity",
          "filter VolumeBinding UnschedulableAndUnresolvable: node(s) didn't find available"
              + " persistent volumes to bind",
          "filter VolumeBinding UnschedulableAndUnresolvable: node(s) did not have enough free"
              + " storage",
          "filter VolumeBinding UnschedulableAndUnresolvable: pod has unbound immediate"
              + " PersistentVolumeClaims",
          "filter VolumeZone UnschedulableAndUnresolvable: node(s) had no available volume zone",
          "filter VolumeBinding UnschedulableAndUnresolvable: PVC X was not created for pod X (pod"
              + " is not owner)",
          "filter VolumeBinding UnschedulableAndUnresolvable: waiting for ephemeral volume"
              + " controller to create the persistentvolumeclaim X",
          "filter VolumeBinding UnschedulableAndUnresolvable: persistentvolumeclaim X is being"
              + " deleted",
          "filter VolumeBinding UnschedulableAndUnresolvable: persistentvolumeclaim X bound to"
              + " non-existent persistentvolume X",
          "filter VolumeRestrictions UnschedulableAndUnresolvable: persistentvolumeclaim X not"
              + " found",
          "filter VolumeZone UnschedulableAndUnresolvable: persistentvolume X not found",
          "score NodeAffinity",
          "score PodTopologySpread",
          "score InterPodAffinity",
          "score NodeResourcesBalancedAllocation",
          "score ImageLocality",
          "no score: one feasible node",
          "preemption: candidates",
          "preemption: budget violated",
          "preemption: several best",
          "preemption: not eligible due to preemptionPolicy=Never.",
          "preemption: not eligible due to a terminating pod on the nominated node.");

  /** What came with 1.37. */
  private static final Set<String> REQUIRED_SINCE_1_37 =
      Set.of(
          "filter NodeVolumeLimits Unschedulable: csi.example.org CSI driver is not installed on"
              + " the node",
          "score VolumeBinding");

  private static final Set<String> REQUIRED_OF_GANGS =
      Set.of(
          "filter GangScheduling UnschedulableAndUnresolvable: waiting for pods's pod group X to"
              + " appear in scheduling queue",
          "filter GangScheduling UnschedulableAndUnresolvable: waiting for minCount pods from a"
              + " gang to appear in scheduling queue",
          "permit Wait: " + GangScheduling.WAITS,
          "permit Success",
          "preemption: candidates");

  private static final Set<String> REQUIRED_OF_WORKLOADS =
      Set.of(
          "filter GangScheduling UnschedulableAndUnresolvable: waiting for pods's pod group X to"
              + " appear in scheduling queue",
          "filter GangScheduling UnschedulableAndUnresolvable: waiting for minCount pods from a"
              + " gang to appear in scheduling queue",
          "group: cannot be satisfied",
          "group: is unschedulable",
          "group: No preemption victims found",
          "group: found a placement for podgroup",
          "group: not eligible",
          "group: pod group preemption: minCount",
          "group: Success",
          "group: victims=",
          "preemption: candidates");

  /** Where names of single objects stand in a sentence, and the sentence without them. */
  private static final List<Map.Entry<Pattern, String>> NAMES =
      Stream.of(
              Map.entry("\"[^\"]*\"", "X"),
              Map.entry("PVC \\S+ (.*) pod \\S+", "PVC X $1 pod X"),
              Map.entry("ResourceClaim \\S+ (.*) Pod \\S+", "ResourceClaim X $1 Pod X"),
              Map.entry("device class \\S+", "device class X"),
              Map.entry("resource claim \\S+", "resource claim X"),
              Map.entry("request q\\S+", "request X"))
          .map(name -> Map.entry(Pattern.compile(name.getKey()), name.getValue()))
          .toList();

  private final Map<String, Integer> seen = new TreeMap<>();
  private final Map<String, String> first = new TreeMap<>();
  private String scenario;

  /**
   * Takes an answer.
   *
   * @param scenario whose it is
   */
  void add(Answer answer, String scenario) {
    this.scenario = scenario;
    answer
        .infeasible()
        .values()
        .forEach(
            v ->
                v.reasons()
                    .forEach(
                        reason ->
                            count("filter " + v.plugin() + " " + v.status() + ": " + reason)));
    if (answer.feasible().size() == 1) {
      count("no score: one feasible node");
    }
    for (String plugin :
        new TreeSet<>(
            answer.feasible().values().stream()
                .flatMap(s -> s.scores().keySet().stream())
                .toList())) {
      if (answer.feasible().values().stream().map(s -> s.scores().get(plugin)).distinct().count()
          > 1) {
        count("score " + plugin);
      }
    }
    if (!answer.candidates().isEmpty()) {
      count("preemption: candidates");
    }
    if (answer.candidates().values().stream().anyMatch(e -> e.pdbViolations() > 0)) {
      count("preemption: budget violated");
    }
    if (answer.best().size() > 1) {
      count("preemption: several best");
    }
    if (!answer.notEligible().isEmpty()) {
      count("preemption: " + answer.notEligible());
    }
    if (!answer.error().isEmpty()) {
      count("error: " + answer.error().replaceAll("(claim|class|node|pool|device) \\S+", "$1 X"));
    }
    if (!answer.idle().isEmpty()) {
      count("claims that could be given up: " + answer.idle().size());
    }
    if (!answer.permit().isEmpty()) {
      count("permit " + answer.permit());
    }
    for (String what : REQUIRED_OF_WORKLOADS) {
      String said = what.startsWith("group: ") ? what.substring("group: ".length()) : null;
      if (said != null && answer.group().toString().contains(said)) {
        count(what);
      }
    }
    answer.grants().values().forEach(node -> node.values().forEach(this::addGrant));
  }

  private void addGrant(List<String> words) {
    boolean somewhere = words.stream().anyMatch(word -> word.contains(" In ["));
    count("devices: usable " + (somewhere ? "on some nodes" : "everywhere"));
    for (String word : words) {
      if (word.contains(" admin ")) {
        count("devices: " + (word.contains("admin true") ? "admin access" : "own"));
        count("devices: " + (word.contains("shared true") ? "share" : "whole"));
        count(
            "devices: "
                + (word.substring(0, word.indexOf(':')).contains("/") ? "ranked" : "plain"));
      }
    }
  }

  /** With the names of single objects left out. */
  private void count(String what) {
    String kind = what;
    for (Map.Entry<Pattern, String> name : NAMES) {
      kind = name.getKey().matcher(kind).replaceAll(name.getValue());
    }
    seen.merge(kind, 1, Integer::sum);
    first.putIfAbsent(kind, scenario);
  }

  /** What has to be there of gangs and is not. */
  Set<String> missingOfGangs(Version version) {
    Set<String> missing =
        new TreeSet<>(version.atLeast(Version.V1_37) ? REQUIRED_OF_WORKLOADS : REQUIRED_OF_GANGS);
    missing.removeAll(seen.keySet());
    return missing;
  }

  /** What has to be there and is not; plugins that the version does not have are not asked for. */
  Set<String> missing(Version version) {
    Set<String> missing = new TreeSet<>(REQUIRED);
    if (version.atLeast(Version.V1_37)) {
      missing.addAll(REQUIRED_SINCE_1_37);
    }
    missing.removeIf(
        what -> what.contains("NodeDeclaredFeatures") && !version.atLeast(Version.V1_36));
    missing.removeAll(seen.keySet());
    return missing;
  }

  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder("What the scenarios brought about, and which was the first:\n");
    seen.forEach(
        (what, times) -> text.append("%7d  %s; %s%n".formatted(times, what, first.get(what))));
    return text.toString();
  }
}
