// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.queue.QueuedPod.Place;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pods of groups that wait, as 1.37 keeps them: those of one group together. A pod whose group
 * nobody knows waits for it, and a pod that comes while it is decided about its group waits until
 * that has ended. One thread. Source: pkg/scheduler/backend/queue/scheduling_queue.go and
 * workload_forest.go.
 */
final class Groups {
  private final Places places;
  private final Map<String, PodGroup> known = new HashMap<>();

  /** By group, those about which it is decided now, with the pods that had their turn. */
  private final Map<String, QueuedGroup> inTurn = new HashMap<>();

  /** By group and pod. */
  private final Map<String, Map<String, QueuedPod>> afterGroup = new HashMap<>();

  private final Map<String, Map<String, QueuedPod>> withoutGroup = new HashMap<>();

  Groups(Places places) {
    this.places = places;
  }

  private QueuedGroup waiting(String groupKey) {
    return (QueuedGroup) places.get(QueuedGroup.key(groupKey));
  }

  /** A pod waits, for the first time or again. Source: addPodGroupMember. */
  void add(QueuedPod pod, long nowNs) {
    String key = pod.pod.groupKey();
    PodGroup group = known.get(key);
    QueuedGroup waits = waiting(key);
    pod.group = null;
    if (group == null) {
      park(withoutGroup, pod, Place.WITHOUT_GROUP);
    } else if (waits != null) {
      Place place = take(waits);
      waits.add(pod);
      again(waits, place, nowNs);
    } else if (inTurn.containsKey(key)) {
      park(afterGroup, pod, Place.AFTER_GROUP);
    } else {
      QueuedGroup first = new QueuedGroup(group, pod.number, pod.timestampNs);
      first.add(pod);
      places.activate(first, false, nowNs);
    }
  }

  private static void park(Map<String, Map<String, QueuedPod>> where, QueuedPod pod, Place place) {
    where.computeIfAbsent(pod.pod.groupKey(), g -> new LinkedHashMap<>()).put(pod.key(), pod);
    pod.place = place;
  }

  private static Collection<QueuedPod> release(
      Map<String, Map<String, QueuedPod>> from, String groupKey) {
    Map<String, QueuedPod> pods = from.remove(groupKey);
    return pods == null ? List.of() : pods.values();
  }

  private static QueuedPod release(Map<String, Map<String, QueuedPod>> from, Pod pod) {
    Map<String, QueuedPod> pods = from.getOrDefault(pod.groupKey(), Map.of());
    QueuedPod gone = pods.isEmpty() ? null : pods.remove(pod.key());
    if (pods.isEmpty()) {
      from.remove(pod.groupKey());
    }
    return gone;
  }

  private Place take(QueuedGroup group) {
    Place place = group.place;
    places.take(group);
    return place;
  }

  /** A group that is another now goes to where it was, if the gates let it. */
  private void again(QueuedGroup group, Place place, long nowNs) {
    switch (place) {
      case UNSCHEDULABLE -> places.put(group, place);
      case ACTIVE -> places.activate(group, false, nowNs);
      default -> places.requeue(group, nowNs);
    }
  }

  /** A pod is gone, or on a node. Source: deletePodGroupMember. */
  void delete(Pod pod, long nowNs) {
    String key = pod.groupKey();
    QueuedGroup waits = waiting(key);
    if (!known.containsKey(key)) {
      release(withoutGroup, pod);
    } else if (waits == null) {
      release(afterGroup, pod);
    } else {
      Place place = take(waits);
      QueuedPod gone = waits.pod(pod.key());
      if (gone != null) {
        waits.remove(gone);
      }
      if (!waits.pods().isEmpty()) {
        again(waits, place, nowNs);
      }
    }
  }

  /** The group is there, or another now. Source: AddPodGroup and UpdatePodGroup. */
  void put(PodGroup group, long nowNs) {
    known.put(group.key(), group);
    QueuedGroup waits = waiting(group.key());
    if (waits != null) {
      Place place = take(waits);
      waits.group = group;
      places.put(waits, place);
    }
    // Who came first is the first, whoever was told first.
    List<QueuedPod> pods =
        release(withoutGroup, group.key()).stream()
            .sorted(Comparator.comparingLong(pod -> pod.timestampNs))
            .toList();
    pods.forEach(pod -> add(pod, nowNs));
  }

  /** The group is gone; its pods wait for another one. Source: DeletePodGroup. */
  void remove(String key) {
    if (known.remove(key) == null) {
      return;
    }
    QueuedGroup waits = waiting(key);
    if (waits != null) {
      places.take(waits);
      for (QueuedPod pod : List.copyOf(waits.pods())) {
        waits.remove(pod);
        park(withoutGroup, pod, Place.WITHOUT_GROUP);
      }
    } else {
      release(afterGroup, key).forEach(pod -> park(withoutGroup, pod, Place.WITHOUT_GROUP));
    }
  }

  /** It is decided about a group now. */
  void begin(QueuedGroup group) {
    inTurn.put(group.group.key(), group);
  }

  /**
   * It was decided about a group: those of its pods that did not find nodes, and those that came
   * meanwhile, wait together. Source: AddAttemptedPodGroupIfNeeded.
   */
  void ended(String key, GroupEnd end, Backoff backoff, long nowNs) {
    QueuedGroup before = inTurn.remove(key);
    Collection<QueuedPod> pods = release(afterGroup, key);
    if (before == null || pods.isEmpty()) {
      return;
    }
    QueuedGroup group = before.anew(known.get(key));
    boolean again = pods.stream().anyMatch(before::had);
    pods.forEach(group::add);
    if (end == GroupEnd.PLACED) {
      // Who stayed behind may preempt at once, unless others are more important.
      group.timestampNs = again ? group.timestampNs : nowNs;
      group.errorsInRow = 0;
      group.refusals = 0;
      group.waitEndSecond = Long.MIN_VALUE;
    } else {
      group.timestampNs = nowNs;
      group.ended(end == GroupEnd.REFUSED);
      group.waitFor(backoff);
    }
    places.requeue(group, nowNs);
  }

  /** The group of a pod if it waits with its pods; or null. */
  QueuedGroup of(Pod pod) {
    return known.containsKey(pod.groupKey()) ? waiting(pod.groupKey()) : null;
  }

  /** A pod that does not wait with its group, but for it; or null. */
  QueuedPod parked(Pod pod) {
    var where = known.containsKey(pod.groupKey()) ? afterGroup : withoutGroup;
    return where.getOrDefault(pod.groupKey(), Map.of()).get(pod.key());
  }

  boolean knows(Pod pod) {
    return known.containsKey(pod.groupKey());
  }

  /** The pods that wait for their groups; a copy. */
  List<QueuedPod> pods(Place place) {
    Map<String, Map<String, QueuedPod>> where =
        switch (place) {
          case AFTER_GROUP -> afterGroup;
          case WITHOUT_GROUP -> withoutGroup;
          default -> Map.of();
        };
    return where.values().stream().flatMap(pods -> pods.values().stream()).toList();
  }
}
