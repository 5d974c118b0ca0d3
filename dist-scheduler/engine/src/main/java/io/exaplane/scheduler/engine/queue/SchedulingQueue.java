// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Pod;
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
import java.util.function.Predicate;

/**
 * Pods that wait, as kube-scheduler keeps them: those whose turn it is, those that wait a while
 * after an attempt in vain, and those for which nothing has happened since that could help. It has
 * no clock: whoever calls says what time it is, in nanoseconds since 1970, never less than before.
 * Where kube-scheduler leaves the order to chance, who came first goes first. One thread. Source:
 * pkg/scheduler/backend/queue/scheduling_queue.go, with its default gates.
 *
 * <p>A long file: every way of a pod from one of the three places to another is here.
 */
public final class SchedulingQueue {
  private static final Comparator<QueuedPod> TURNS =
      Comparator.<QueuedPod>comparingInt(pod -> pod.pod.spec().priority())
          .reversed()
          .thenComparingLong(pod -> pod.timestampNs)
          .thenComparingLong(pod -> pod.number);
  private static final Comparator<QueuedPod> WAIT_ENDS =
      Comparator.comparingLong(pod -> pod.waitEndSecond);

  private final Map<String, Rules> rules;
  private final Backoff backoff;
  private final long patienceNs;
  private final NavigableSet<QueuedPod> active = new TreeSet<>(TURNS);
  private final NavigableSet<QueuedPod> refused = new TreeSet<>(WAIT_ENDS.thenComparing(TURNS));
  private final NavigableSet<QueuedPod> failed =
      new TreeSet<>(WAIT_ENDS.thenComparingLong(pod -> pod.number));
  private final Map<String, QueuedPod> unschedulable = new LinkedHashMap<>();
  private final Map<String, QueuedPod> waiting = new HashMap<>();
  private final InFlight inFlight = new InFlight();

  /** What time it was when something was told the last time. */
  private long nowNs;

  private long numbers;
  private long turns;

  /**
   * An empty queue.
   *
   * @param rules by scheduler's name
   * @param patienceNs after which a pod that nothing helped is tried all the same
   *     (podMaxInUnschedulablePodsDuration, five minutes by default)
   */
  public SchedulingQueue(Map<String, Rules> rules, Backoff backoff, long patienceNs) {
    this.rules = Map.copyOf(rules);
    this.backoff = backoff;
    this.patienceNs = patienceNs;
  }

  /** Takes a pod that is new. */
  public void add(Pod pod, long nowNs) {
    this.nowNs = nowNs;
    delete(pod.key());
    activate(new QueuedPod(pod, numbers++, nowNs), false);
  }

  /**
   * The pod whose turn it is; it is in flight from now on. If there is none, one that waits a while
   * after a refusal need not wait any longer.
   *
   * @return null if there is none
   */
  public QueuedPod pop() {
    while (true) {
      QueuedPod next =
          !active.isEmpty() ? active.first() : refused.isEmpty() ? null : refused.first();
      if (next == null) {
        return null;
      }
      if (begin(next)) {
        return next;
      }
    }
  }

  /**
   * A certain pod, as if it was its turn: whether it waits for a while or for something to happen.
   *
   * @return null if it does not wait, or something keeps it from its turn
   */
  public QueuedPod pop(Pod pod) {
    QueuedPod known = waiting.get(pod.key());
    if (known != null && known.place != Place.ACTIVE) {
      activate(known, known.place != Place.UNSCHEDULABLE);
    }
    boolean hasTurn = known != null && known.place == Place.ACTIVE;
    return hasTurn && begin(known) ? known : null;
  }

  /** Takes a pod out; false if it is in flight already, and forgotten here. */
  private boolean begin(QueuedPod pod) {
    take(pod);
    pod.attempts++;
    if (inFlight.has(pod.pod.uid())) {
      return false;
    }
    inFlight.begin(pod.pod.uid());
    return true;
  }

  /** Whether this pod has its turns together with others. */
  boolean isGrouped(Pod pod) {
    Rules own = rules.get(pod.spec().schedulerName());
    return own != null && own.groups() && !pod.group().isEmpty();
  }

  /** Whether any pods have their turns together. */
  boolean hasGroups() {
    return rules.values().stream().anyMatch(Rules::groups);
  }

  /** A pod that was in flight found its node, or is gone. */
  public void done(QueuedPod pod) {
    inFlight.end(pod.pod.uid());
  }

  /**
   * A pod that was in flight found no node. It waits a while if something happened meanwhile that
   * may help, otherwise until something does.
   *
   * @param now the pod as it is known now
   * @param refusedBy the plugins that refused it; none if its attempt failed for another reason
   */
  public void giveBack(QueuedPod pod, Pod now, Collection<String> refusedBy, long nowNs) {
    String uid = pod.pod.uid();
    try {
      if (waiting.containsKey(pod.pod.key())) {
        return;
      }
      pod.pod = now;
      pod.gatedBy = null;
      pod.rejectors.clear();
      pod.rejectors.addAll(refusedBy);
      pod.timestampNs = nowNs;
      pod.triedNs = Long.MIN_VALUE;
      if (refusedBy.isEmpty()) {
        pod.errorsInRow++;
      } else {
        pod.refusals++;
        pod.errorsInRow = 0;
      }
      int attempts = pod.errorsInRow > 0 ? pod.errorsInRow : pod.refusals;
      pod.waitEndSecond =
          backoff.maxMs() == 0 ? Long.MIN_VALUE : backoff.endSecond(nowNs, attempts);
      if (mayBeHelped(pod, uid)) {
        requeue(pod, nowNs);
      } else {
        put(pod, Place.UNSCHEDULABLE);
      }
    } finally {
      inFlight.end(uid);
    }
  }

  private boolean mayBeHelped(QueuedPod pod, String uid) {
    if (pod.rejectors.isEmpty() || !inFlight.has(uid) || isGrouped(pod.pod)) {
      return true;
    }
    for (Change change : inFlight.changesFor(uid)) {
      if (mayHelp(pod, change)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayHelp(QueuedPod pod, Change change) {
    Rules own = rulesOf(pod);
    return own == null || own.hints().mayHelp(pod.pod, pod.rejectors, change);
  }

  /** A pod that is on no node is another now. */
  public void update(Pod before, Pod after, long nowNs) {
    this.nowNs = nowNs;
    List<Change> changes = Changes.of(before, after);
    if (inFlight.has(after.uid())) {
      changes.forEach(inFlight::happened);
      return;
    }
    QueuedPod known = waiting.get(after.key());
    if (known == null) {
      add(after, nowNs);
      return;
    }
    Place place = known.place;
    take(known);
    known.pod = after;
    put(known, place);
    if (place == Place.UNSCHEDULABLE) {
      for (Change change : changes) {
        if (mayHelp(known, change) && requeue(known, nowNs)) {
          return;
        }
      }
    }
  }

  /** A pod is gone, or on a node. */
  public void delete(String key) {
    QueuedPod known = waiting.get(key);
    if (known != null) {
      take(known);
    }
  }

  /**
   * Something happened: pods that it may help get another turn.
   *
   * @param which pods it can concern at all
   */
  public void happened(Change change, Predicate<Pod> which, long nowNs) {
    this.nowNs = nowNs;
    if (rules.values().stream().noneMatch(own -> own.hints().concerns(change.event()))) {
      return;
    }
    List<QueuedPod> concerned = new ArrayList<>();
    for (QueuedPod pod : unschedulable.values()) {
      if (which.test(pod.pod)) {
        concerned.add(pod);
      }
    }
    tryAgain(concerned, change, nowNs);
  }

  private void tryAgain(List<QueuedPod> pods, Change change, long nowNs) {
    for (QueuedPod pod : pods) {
      if (!staysGated(pod, change) && mayHelp(pod, change)) {
        requeue(pod, nowNs);
      }
    }
    inFlight.happened(change);
  }

  private boolean staysGated(QueuedPod pod, Change change) {
    Rules own = rulesOf(pod);
    return pod.isGated()
        && (own == null
            || (!own.hints().concerns(change.event(), pod.gatedBy)
                && !(change.event().isWildcard() && own.losesPatienceWithGates())));
  }

  private Rules rulesOf(QueuedPod pod) {
    return rules.get(pod.pod.spec().schedulerName());
  }

  /** Lets a pod have its turn now, whether it waits for a while or for something to happen. */
  public void activate(Pod pod) {
    QueuedPod known = waiting.get(pod.key());
    boolean waits = known != null && known.place != Place.ACTIVE;
    boolean moved = waits && activate(known, known.place != Place.UNSCHEDULABLE);
    if (!moved && inFlight.has(pod.uid())) {
      inFlight.happened(new Change(ClusterEvent.WILDCARD, null, pod));
    }
  }

  /** Lets a pod that a gate kept from its turn have it again, after its wait. */
  public void release(Pod pod, long nowNs) {
    this.nowNs = nowNs;
    QueuedPod known = waiting.get(pod.key());
    if (known != null && known.place == Place.UNSCHEDULABLE) {
      requeue(known, nowNs);
    } else if (known == null && inFlight.has(pod.uid())) {
      inFlight.happened(new Change(ClusterEvent.WILDCARD, null, pod));
    }
  }

  /** Ends waits that are over; to be called once a second. */
  public void endWaits(long nowNs) {
    this.nowNs = nowNs;
    for (NavigableSet<QueuedPod> waits : List.of(refused, failed)) {
      while (!waits.isEmpty() && !waits.first().waits(nowNs)) {
        activate(waits.first(), true);
      }
    }
  }

  /** Tries pods again that nothing helped for long; to be called every half minute. */
  public void losePatience(long nowNs) {
    List<QueuedPod> old = new ArrayList<>();
    for (QueuedPod pod : unschedulable.values()) {
      if (nowNs - Math.max(pod.timestampNs, pod.triedNs) > patienceNs) {
        old.add(pod);
        Rules own = rulesOf(pod);
        pod.triedNs = own != null && own.losesPatienceWithGates() ? nowNs : pod.triedNs;
      }
    }
    if (!old.isEmpty()) {
      tryAgain(old, new Change(ClusterEvent.WILDCARD, null, null), nowNs);
    }
  }

  /** Whether it has its turn now or after a while. */
  private boolean requeue(QueuedPod pod, long nowNs) {
    if (!pod.waits(nowNs)) {
      return activate(pod, false);
    }
    if (isGated(pod)) {
      put(pod, Place.UNSCHEDULABLE);
      return false;
    }
    put(pod, pod.rejectors.isEmpty() ? Place.ERROR_BACKOFF : Place.BACKOFF);
    return true;
  }

  private boolean activate(QueuedPod pod, boolean afterWait) {
    if (!afterWait && isGated(pod)) {
      put(pod, Place.UNSCHEDULABLE);
      return false;
    }
    if (pod.firstTurn == 0) {
      pod.firstTurn = ++turns;
      pod.sinceNs = nowNs;
    }
    put(pod, Place.ACTIVE);
    return true;
  }

  /** Asks the gates, first the one that kept the pod the last time. */
  private boolean isGated(QueuedPod pod) {
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

  private void put(QueuedPod pod, Place place) {
    take(pod);
    pod.place = place;
    waiting.put(pod.pod.key(), pod);
    switch (place) {
      case ACTIVE -> active.add(pod);
      case BACKOFF -> refused.add(pod);
      case ERROR_BACKOFF -> failed.add(pod);
      case UNSCHEDULABLE -> unschedulable.put(pod.pod.key(), pod);
      case IN_FLIGHT -> throw new IllegalArgumentException("pods in flight are kept nowhere");
    }
  }

  /** Takes a pod out from where it is. */
  private void take(QueuedPod pod) {
    switch (pod.place) {
      case ACTIVE -> active.remove(pod);
      case BACKOFF -> refused.remove(pod);
      case ERROR_BACKOFF -> failed.remove(pod);
      case UNSCHEDULABLE -> unschedulable.remove(pod.pod.key());
      case IN_FLIGHT -> {}
    }
    if (pod.place != Place.IN_FLIGHT) {
      waiting.remove(pod.pod.key());
      pod.place = Place.IN_FLIGHT;
    }
  }

  /** The pod that waits under this key, or null. */
  public QueuedPod get(String key) {
    return waiting.get(key);
  }

  /** How many wait, and since when the first of them that nothing keeps from its turn. */
  public Waiting waits() {
    return Waiting.of(
        active.size(), refused.size() + failed.size(), unschedulable.values(), waiting.values());
  }

  /** The uids of the pods in a place; a copy. */
  public List<String> uids(Place place) {
    return switch (place) {
      case ACTIVE -> uids(active);
      case BACKOFF -> uids(refused);
      case ERROR_BACKOFF -> uids(failed);
      case UNSCHEDULABLE -> uids(unschedulable.values());
      case IN_FLIGHT -> inFlight.uids();
    };
  }

  private static List<String> uids(Collection<QueuedPod> pods) {
    return pods.stream().map(pod -> pod.pod.uid()).toList();
  }
}
