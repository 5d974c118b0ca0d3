// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.preemption;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.plugin.CycleException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who can be evicted, where groups of pods are known as from 1.37 on: pods one by one, or all pods
 * of a group together. The group's priority counts, not its pods'. For its cluster's thread.
 * Source: pkg/scheduler/framework/preemption/types.go, getCrossNodesVictims; util.go,
 * MoreImportantVictim.
 */
final class Victims {
  /**
   * Those who are evicted together.
   *
   * @param inGroup whether they belong to a group, also if it is one pod that goes by itself
   * @param startedNs when the first of them began
   */
  record Unit(List<PlacedPod> pods, int priority, boolean inGroup, long startedNs) {}

  /** The most important first: groups before single pods, larger ones first, then older ones. */
  static final Comparator<Unit> MORE_IMPORTANT_FIRST =
      Comparator.comparingInt(Unit::priority)
          .thenComparing(Unit::inGroup)
          .thenComparingInt((Unit unit) -> unit.pods().size())
          .reversed()
          .thenComparingLong(Unit::startedNs);

  private final Cluster cluster;

  Victims(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The priority that decides who may evict a pod. */
  int priorityOf(PlacedPod pod) {
    PodGroup group = pod.pod().group().isEmpty() ? null : cluster.groups().of(pod.pod());
    return group == null ? pod.spec().priority() : group.priority();
  }

  /**
   * Those on a node who are less important, with all who would go together with them.
   *
   * @throws CycleException if one of those is on a node that is not there
   */
  List<Unit> on(int node, int priority) {
    List<Unit> units = new ArrayList<>();
    add(node, priority, new HashSet<>(), units);
    units.sort(MORE_IMPORTANT_FIRST);
    return units;
  }

  /** The same on all nodes. */
  List<Unit> everywhere(int priority) {
    List<Unit> units = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      if (cluster.nodes().node(node) != null) {
        add(node, priority, known, units);
      }
    }
    units.sort(MORE_IMPORTANT_FIRST);
    return units;
  }

  private void add(int node, int priority, Set<String> known, List<Unit> units) {
    List<PlacedPod> pods = new ArrayList<>();
    for (PlacedPod pod = cluster.nodes().firstPod(node); pod != null; pod = pod.next()) {
      pods.add(pod);
    }
    pods.sort(Comparator.comparingLong(PlacedPod::arrival));
    for (PlacedPod pod : pods) {
      PodGroup group = pod.pod().group().isEmpty() ? null : cluster.groups().of(pod.pod());
      boolean together = group != null && group.disruptedTogether();
      if (together && !known.add(group.key())) {
        continue;
      }
      List<PlacedPod> all = together ? cluster.groups().onNodes(pod.pod()) : List.of(pod);
      all.forEach(this::requireNode);
      if (priorityOf(pod) < priority) {
        units.add(unit(all, priorityOf(pod), !pod.pod().group().isEmpty()));
      }
    }
  }

  private static Unit unit(List<PlacedPod> pods, int priority, boolean inGroup) {
    long startedNs = pods.stream().mapToLong(Candidate::startedNs).min().orElseThrow();
    return new Unit(pods, priority, inGroup, startedNs);
  }

  private void requireNode(PlacedPod pod) {
    if (pod.node() == PlacedPod.NOWHERE) {
      String name = pod.pod().nodeName();
      throw new CycleException(
          "failed to get node info for node \"%s\" from snapshot: nodeinfo not found for node name \"%s\""
              .formatted(name, name));
    }
  }
}
