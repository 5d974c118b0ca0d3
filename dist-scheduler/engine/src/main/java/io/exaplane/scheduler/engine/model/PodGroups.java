// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups of pods, and which pods each has, whether the group itself is there or not. Belongs to one
 * cluster and its thread. Source: pkg/scheduler/backend/cache/podgroupstate.go.
 */
public final class PodGroups {
  /** The pods of one group that have not ended. */
  private static final class Members {
    private final Set<PlacedPod> waiting = new LinkedHashSet<>();

    /** By scheduler, how many of those. */
    private final Map<String, Integer> waitingFor = new HashMap<>();

    private final Set<PlacedPod> onNodes = new LinkedHashSet<>();
  }

  private final Map<String, PodGroup> groups = new HashMap<>();
  private final Map<String, Members> members = new HashMap<>();

  /** By group, the uids of pods that are there and do not count. */
  private final Map<String, Set<String>> leftOut = new HashMap<>();

  private Set<String> schedulerNames;

  /** Of pods on no node, only those of these schedulers belong to their groups from now on. */
  public void countOnly(Set<String> schedulers) {
    schedulerNames = Set.copyOf(schedulers);
  }

  public void put(PodGroup group) {
    groups.put(group.key(), group);
  }

  public void remove(String key) {
    groups.remove(key);
  }

  /** The group of a pod, or null if it is not there. */
  public PodGroup of(Pod pod) {
    return group(pod.groupKey());
  }

  /** The group with this key, or null. */
  public PodGroup group(String key) {
    return groups.get(key);
  }

  /**
   * A pod does not count among those of its group until it is told again. Source:
   * pkg/scheduler/backend/cache/cache.go, RemoveAssumedPod, from 1.37 on.
   */
  public void leaveOut(Pod pod) {
    leftOut.computeIfAbsent(pod.groupKey(), g -> new HashSet<>()).add(pod.uid());
  }

  /** A pod counts again, or is gone. */
  public void count(Pod pod) {
    Set<String> uids = leftOut.get(pod.groupKey());
    if (uids != null && uids.remove(pod.uid()) && uids.isEmpty()) {
      leftOut.remove(pod.groupKey());
    }
  }

  /** How many pods a pod's group has. */
  public int size(Pod pod) {
    Members ofGroup = members.get(pod.groupKey());
    if (ofGroup == null) {
      return 0;
    }
    int size = ofGroup.onNodes.size() - leftOut.getOrDefault(pod.groupKey(), Set.of()).size();
    if (schedulerNames == null) {
      return size + ofGroup.waiting.size();
    }
    for (String scheduler : schedulerNames) {
      size += ofGroup.waitingFor.getOrDefault(scheduler, 0);
    }
    return size;
  }

  /** How many pods of a pod's group are on nodes, whether these are there or not. */
  public int placed(Pod pod) {
    Members ofGroup = members.get(pod.groupKey());
    return ofGroup == null ? 0 : ofGroup.onNodes.size();
  }

  /** The pods of a pod's group that are on nodes, whether these are there or not; a copy. */
  public List<PlacedPod> onNodes(Pod pod) {
    Members ofGroup = members.get(pod.groupKey());
    return ofGroup == null ? List.of() : List.copyOf(ofGroup.onNodes);
  }

  /** The pods of a pod's group that are on no node, in no order; a copy. */
  public Collection<PlacedPod> waiting(Pod pod) {
    Members ofGroup = members.get(pod.groupKey());
    if (ofGroup == null) {
      return List.of();
    }
    return ofGroup.waiting.stream()
        .filter(
            waiting ->
                schedulerNames == null || schedulerNames.contains(waiting.spec().schedulerName()))
        .toList();
  }

  void add(PlacedPod pod) {
    if (!pod.pod().group().isEmpty()) {
      Members ofGroup = members.computeIfAbsent(pod.pod().groupKey(), key -> new Members());
      if (pod.pod().nodeName().isEmpty()) {
        ofGroup.waiting.add(pod);
        ofGroup.waitingFor.merge(pod.spec().schedulerName(), 1, Integer::sum);
      } else {
        ofGroup.onNodes.add(pod);
      }
    }
  }

  void remove(PlacedPod pod) {
    if (!pod.pod().group().isEmpty()) {
      Members ofGroup = members.get(pod.pod().groupKey());
      if (pod.pod().nodeName().isEmpty()) {
        ofGroup.waiting.remove(pod);
        ofGroup.waitingFor.merge(
            pod.spec().schedulerName(), -1, (x, y) -> x + y == 0 ? null : x + y);
      } else {
        ofGroup.onNodes.remove(pod);
      }
      if (ofGroup.onNodes.isEmpty() && ofGroup.waiting.isEmpty()) {
        members.remove(pod.pod().groupKey());
      }
    }
  }
}
