// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.queue.QueuedPod.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Where those are who wait, and the ways from one place to another. Who is to have a turn passes
 * the gates first. One thread. Source: pkg/scheduler/backend/queue/scheduling_queue.go,
 * moveToActiveQ and moveToBackoffQ.
 */
final class Places {
  private static final Comparator<Waiter> TURNS =
      Comparator.<Waiter>comparingInt(Waiter::priority)
          .reversed()
          .thenComparingLong(waiter -> waiter.timestampNs)
          .thenComparingLong(waiter -> waiter.number);
  private static final Comparator<Waiter> WAIT_ENDS =
      Comparator.comparingLong(waiter -> waiter.waitEndSecond);

  private final Map<String, Rules> rules;
  private final NavigableSet<Waiter> active = new TreeSet<>(TURNS);
  private final NavigableSet<Waiter> refused = new TreeSet<>(WAIT_ENDS.thenComparing(TURNS));
  private final NavigableSet<Waiter> failed =
      new TreeSet<>(WAIT_ENDS.thenComparingLong(waiter -> waiter.number));
  private final Map<String, Waiter> unschedulable = new LinkedHashMap<>();
  private final Map<String, Waiter> waiting = new HashMap<>();
  private long turns;

  Places(Map<String, Rules> rules) {
    this.rules = rules;
  }

  /** Who waits under this key, or null. */
  Waiter get(String key) {
    return waiting.get(key);
  }

  /** Whose turn it is; else the first of those that wait a while after a refusal; or null. */
  Waiter first() {
    return !active.isEmpty() ? active.first() : refused.isEmpty() ? null : refused.first();
  }

  /** Those for which something has to happen; a copy. */
  List<Waiter> unschedulable() {
    return new ArrayList<>(unschedulable.values());
  }

  /** Those whose wait is over get their turn. */
  void endWaits(long nowNs) {
    for (NavigableSet<Waiter> waits : List.of(refused, failed)) {
      while (!waits.isEmpty() && !waits.first().waits(nowNs)) {
        activate(waits.first(), true, nowNs);
      }
    }
  }

  /** Whether it has its turn now or after a while. */
  boolean requeue(Waiter waiter, long nowNs) {
    if (!waiter.waits(nowNs)) {
      return activate(waiter, false, nowNs);
    }
    if (isGated(waiter)) {
      put(waiter, Place.UNSCHEDULABLE);
      return false;
    }
    put(waiter, waiter.rejectors.isEmpty() ? Place.ERROR_BACKOFF : Place.BACKOFF);
    return true;
  }

  /**
   * Whether it has its turn now.
   *
   * @param afterWait whether it passed the gates before a wait that is over
   */
  boolean activate(Waiter waiter, boolean afterWait, long nowNs) {
    if (!afterWait && isGated(waiter)) {
      put(waiter, Place.UNSCHEDULABLE);
      return false;
    }
    begin(waiter, nowNs);
    waiter.pods().forEach(pod -> begin(pod, nowNs));
    put(waiter, Place.ACTIVE);
    return true;
  }

  private void begin(Waiter waiter, long nowNs) {
    if (waiter.firstTurn == 0) {
      waiter.firstTurn = ++turns;
      waiter.sinceNs = nowNs;
    }
  }

  /** Asks the gates; what keeps one pod from its turn keeps those that have it with that one. */
  private boolean isGated(Waiter waiter) {
    String by = null;
    for (QueuedPod pod : waiter.pods()) {
      by = gate(pod) ? pod.gatedBy : by;
    }
    waiter.gatedBy = by;
    return by != null;
  }

  /** Asks first the one that kept the pod the last time. */
  private boolean gate(QueuedPod pod) {
    Rules own = rulesOf(pod);
    List<Gate> gates = own == null ? List.of() : own.gates();
    Gate first = null;
    for (Gate gate : gates) {
      first = gate.plugin().equals(pod.gatedBy) ? gate : first;
    }
    if (first != null && !first.admits().test(pod.pod)) {
      return true;
    }
    for (Gate gate : gates) {
      if (gate != first && !gate.admits().test(pod.pod)) {
        pod.rejectors.add(gate.plugin());
        pod.gatedBy = gate.plugin();
        return true;
      }
    }
    pod.gatedBy = null;
    return false;
  }

  /** Of the pod's scheduler, or null. */
  Rules rulesOf(QueuedPod pod) {
    return rules.get(pod.pod.spec().schedulerName());
  }

  void put(Waiter waiter, Place place) {
    take(waiter);
    waiter.place = place;
    waiting.put(waiter.key(), waiter);
    switch (place) {
      case ACTIVE -> active.add(waiter);
      case BACKOFF -> refused.add(waiter);
      case ERROR_BACKOFF -> failed.add(waiter);
      case UNSCHEDULABLE -> unschedulable.put(waiter.key(), waiter);
      case AFTER_GROUP, WITHOUT_GROUP, IN_FLIGHT ->
          throw new IllegalArgumentException(place + " is none of these places");
    }
  }

  /** Takes somebody out from where it is. */
  void take(Waiter waiter) {
    switch (waiter.place) {
      case ACTIVE -> active.remove(waiter);
      case BACKOFF -> refused.remove(waiter);
      case ERROR_BACKOFF -> failed.remove(waiter);
      case UNSCHEDULABLE -> unschedulable.remove(waiter.key());
      case AFTER_GROUP, WITHOUT_GROUP, IN_FLIGHT -> {}
    }
    if (waiter.place != Place.IN_FLIGHT) {
      waiting.remove(waiter.key());
      waiter.place = Place.IN_FLIGHT;
    }
  }

  /** How many wait in these places, and since when the first that nothing keeps from its turn. */
  Waiting waits() {
    return Waiting.of(active, refused, failed, unschedulable.values());
  }

  /** The pods in one of these places; a copy. */
  List<QueuedPod> pods(Place place) {
    return switch (place) {
      case ACTIVE -> pods(active);
      case BACKOFF -> pods(refused);
      case ERROR_BACKOFF -> pods(failed);
      case UNSCHEDULABLE -> pods(unschedulable.values());
      case AFTER_GROUP, WITHOUT_GROUP, IN_FLIGHT -> List.of();
    };
  }

  private static List<QueuedPod> pods(Collection<Waiter> waiters) {
    return waiters.stream().flatMap(waiter -> waiter.pods().stream()).toList();
  }
}
