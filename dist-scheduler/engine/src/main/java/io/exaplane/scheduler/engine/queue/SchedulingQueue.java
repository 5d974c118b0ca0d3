// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.event.Change;
import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.queue.QueuedPod.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Pods that wait, as kube-scheduler keeps them: those whose turn it is, those that wait a while
 * after an attempt in vain, and those for which nothing has happened since that could help. It has
 * no clock: whoever calls says what time it is, in nanoseconds since 1970, never less than before.
 * Where kube-scheduler leaves the order to chance, who came first goes first. One thread. Source:
 * pkg/scheduler/backend/queue/scheduling_queue.go, with its default gates.
 */
public final class SchedulingQueue {
  private final Map<String, Rules> rules;
  private final Backoff backoff;
  private final long patienceNs;
  private final Places places;
  private final Groups groups;
  private final InFlight inFlight = new InFlight();

  /** What time it was when something was told the last time. */
  private long nowNs;

  private long numbers;

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
    places = new Places(this.rules);
    groups = new Groups(places);
  }

  /** Takes a pod that is new. */
  public void add(Pod pod, long nowNs) {
    this.nowNs = nowNs;
    QueuedPod queued = new QueuedPod(pod, numbers++, nowNs);
    if (waitsWithGroup(pod)) {
      groups.add(queued, nowNs);
    } else {
      delete(pod, nowNs);
      places.activate(queued, false, nowNs);
    }
  }

  /**
   * The pod whose turn it is; it is in flight from now on, with those of its group if they wait
   * together ({@link QueuedPod#together}). If there is none, one that waits a while after a refusal
   * need not wait any longer.
   *
   * @return null if there is none
   */
  QueuedPod pop() {
    while (true) {
      Waiter next = places.first();
      if (next == null) {
        return null;
      }
      if (begin(next)) {
        return next.pods().getFirst();
      }
    }
  }

  /**
   * A certain pod, as if it was its turn: whether it waits for a while or for something to happen.
   *
   * @return null if it does not wait, or something keeps it from its turn
   */
  QueuedPod pop(Pod pod) {
    Waiter known = places.get(pod.key());
    if (known != null && known.place != Place.ACTIVE) {
      places.activate(known, known.place != Place.UNSCHEDULABLE, nowNs);
    }
    boolean hasTurn = known != null && known.place == Place.ACTIVE;
    return hasTurn && begin(known) ? (QueuedPod) known : null;
  }

  /** Takes somebody out; false if all pods are in flight already, which are forgotten here. */
  private boolean begin(Waiter next) {
    places.take(next);
    next.attempts++;
    if (next instanceof QueuedGroup group) {
      return begin(group);
    }
    String uid = next.pods().getFirst().pod.uid();
    if (inFlight.has(uid)) {
      return false;
    }
    inFlight.begin(uid);
    return true;
  }

  private boolean begin(QueuedGroup group) {
    for (QueuedPod pod : List.copyOf(group.pods())) {
      pod.attempts++;
      String uid = pod.pod.uid();
      if (inFlight.has(uid)) {
        group.remove(group.pod(pod.key()));
      } else {
        inFlight.begin(uid);
      }
    }
    if (group.pods().isEmpty()) {
      return false;
    }
    groups.begin(group);
    return true;
  }

  private Grouping grouping(Pod pod) {
    Rules own = rules.get(pod.spec().schedulerName());
    return own == null || pod.group().isEmpty() ? Grouping.NONE : own.grouping();
  }

  /** Whether a pod takes others of its group along when it is its turn. */
  boolean takesAlong(Pod pod) {
    return grouping(pod) == Grouping.PODS;
  }

  /** Whether a pod waits together with the others of its group. */
  public boolean waitsWithGroup(Pod pod) {
    return grouping(pod) == Grouping.WHOLE;
  }

  /** Whether any pods have their turns together. */
  boolean hasGroups() {
    return rules.values().stream().anyMatch(own -> own.grouping() != Grouping.NONE);
  }

  /** A group is new, or another now. */
  void put(PodGroup group, long nowNs) {
    this.nowNs = nowNs;
    groups.put(group, nowNs);
  }

  /** A group is gone. */
  void removeGroup(String key) {
    groups.remove(key);
  }

  /** It was decided about a group; of its pods, each goes to a node, or was given back. */
  void ended(String group, GroupEnd end, long nowNs) {
    this.nowNs = nowNs;
    groups.ended(group, end, backoff, nowNs);
  }

  /** A pod that was in flight found its node, or is gone. */
  public void done(QueuedPod pod) {
    inFlight.end(pod.pod.uid());
  }

  /**
   * A pod that was in flight found no node. It waits a while if something happened meanwhile that
   * may help, otherwise until something does. If it waits with its group, it does so from when it
   * was decided about that.
   *
   * @param now the pod as it is known now
   * @param refusedBy the plugins that refused it; none if its attempt failed for another reason
   */
  public void giveBack(QueuedPod pod, Pod now, Collection<String> refusedBy, long nowNs) {
    String uid = pod.pod.uid();
    boolean withGroup = waitsWithGroup(now);
    try {
      if (!withGroup && places.get(pod.key()) != null) {
        return;
      }
      pod.pod = now;
      pod.gatedBy = null;
      pod.rejectors.clear();
      pod.rejectors.addAll(refusedBy);
      pod.timestampNs = nowNs;
      pod.triedNs = Long.MIN_VALUE;
      pod.ended(!refusedBy.isEmpty());
      if (withGroup) {
        inFlight.end(uid);
        groups.add(pod, nowNs);
        return;
      }
      pod.waitFor(backoff);
      if (mayBeHelped(pod, uid)) {
        places.requeue(pod, nowNs);
      } else {
        places.put(pod, Place.UNSCHEDULABLE);
      }
    } finally {
      inFlight.end(uid);
    }
  }

  private boolean mayBeHelped(QueuedPod pod, String uid) {
    if (pod.rejectors.isEmpty() || !inFlight.has(uid) || takesAlong(pod.pod)) {
      return true;
    }
    for (Change change : inFlight.changesFor(uid)) {
      if (mayHelp(pod, change)) {
        return true;
      }
    }
    return false;
  }

  /** What may help one of those who have their turn together may help them all. */
  private boolean mayHelp(Waiter waiter, Change change) {
    for (QueuedPod pod : waiter.pods()) {
      Rules own = places.rulesOf(pod);
      if (own == null || own.hints().mayHelp(pod.pod, pod.rejectors, change)) {
        return true;
      }
    }
    return false;
  }

  /** A pod that is on no node is another now. */
  public void update(Pod before, Pod after, long nowNs) {
    this.nowNs = nowNs;
    boolean withGroup = waitsWithGroup(before);
    if (withGroup && !groups.knows(before)) {
      updateParked(after);
      return;
    }
    List<Change> changes = Changes.of(before, after);
    if (inFlight.has(after.uid())) {
      changes.forEach(inFlight::happened);
      return;
    }
    Waiter waiter = withGroup ? groups.of(before) : places.get(after.key());
    QueuedPod known =
        waiter instanceof QueuedGroup group ? group.pod(after.key()) : (QueuedPod) waiter;
    if (known != null) {
      updateWaiting(waiter, known, after, changes);
    } else if (!withGroup || !updateParked(after)) {
      add(after, nowNs);
    }
  }

  /** False if the pod does not wait for its group. */
  private boolean updateParked(Pod after) {
    QueuedPod parked = groups.parked(after);
    if (parked != null) {
      parked.pod = after;
    }
    return parked != null;
  }

  private void updateWaiting(Waiter waiter, QueuedPod known, Pod after, List<Change> changes) {
    Place place = waiter.place;
    places.take(waiter);
    known.pod = after;
    places.put(waiter, place);
    if (place == Place.UNSCHEDULABLE) {
      for (Change change : changes) {
        if (mayHelp(waiter, change) && places.requeue(waiter, nowNs)) {
          return;
        }
      }
    }
  }

  /** A pod is gone, or on a node; as it was before. */
  public void delete(Pod pod, long nowNs) {
    if (waitsWithGroup(pod)) {
      groups.delete(pod, nowNs);
      return;
    }
    Waiter known = places.get(pod.key());
    if (known != null) {
      places.take(known);
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
    List<Waiter> concerned = new ArrayList<>();
    for (Waiter waiter : places.unschedulable()) {
      if (waiter.pods().stream().anyMatch(pod -> which.test(pod.pod))) {
        concerned.add(waiter);
      }
    }
    tryAgain(concerned, change, nowNs);
  }

  private void tryAgain(List<Waiter> waiters, Change change, long nowNs) {
    for (Waiter waiter : waiters) {
      if (!staysGated(waiter, change) && mayHelp(waiter, change)) {
        places.requeue(waiter, nowNs);
      }
    }
    inFlight.happened(change);
  }

  private boolean staysGated(Waiter waiter, Change change) {
    Rules own = places.rulesOf(waiter.pods().getFirst());
    return waiter.isGated()
        && (own == null
            || (!own.hints().concerns(change.event(), waiter.gatedBy)
                && !(change.event().isWildcard() && own.losesPatienceWithGates())));
  }

  /** Lets a pod that a gate kept from its turn have it again, after its wait. */
  public void release(Pod pod, long nowNs) {
    this.nowNs = nowNs;
    boolean withGroup = waitsWithGroup(pod);
    Waiter known = withGroup ? groups.of(pod) : places.get(pod.key());
    if (known != null && known.place == Place.UNSCHEDULABLE) {
      places.requeue(known, nowNs);
    } else if (known == null && inFlight.has(pod.uid())) {
      inFlight.happened(new Change(ClusterEvent.WILDCARD, null, pod));
    }
  }

  /** Ends waits that are over; to be called once a second. */
  public void endWaits(long nowNs) {
    this.nowNs = nowNs;
    places.endWaits(nowNs);
  }

  /** Tries pods again that nothing helped for long; to be called every half minute. */
  public void losePatience(long nowNs) {
    List<Waiter> old = new ArrayList<>();
    for (Waiter waiter : places.unschedulable()) {
      if (nowNs - Math.max(waiter.timestampNs, waiter.triedNs) > patienceNs) {
        old.add(waiter);
        Rules own = places.rulesOf(waiter.pods().getFirst());
        waiter.triedNs = own != null && own.losesPatienceWithGates() ? nowNs : waiter.triedNs;
      }
    }
    if (!old.isEmpty()) {
      tryAgain(old, new Change(ClusterEvent.WILDCARD, null, null), nowNs);
    }
  }

  /** The pod that waits under this key, but for one that waits with its group; or null. */
  public QueuedPod get(String key) {
    return (QueuedPod) places.get(key);
  }

  /** The same for a pod that waits with its group, or for it. */
  public QueuedPod get(Pod pod) {
    if (!waitsWithGroup(pod)) {
      return get(pod.key());
    }
    QueuedGroup group = groups.of(pod);
    return group == null ? groups.parked(pod) : group.pod(pod.key());
  }

  /** How many wait, and since when the first of them that nothing keeps from its turn. */
  public Waiting waits() {
    return places
        .waits()
        .with(groups.pods(Place.AFTER_GROUP).size(), groups.pods(Place.WITHOUT_GROUP).size());
  }

  /** The uids of the pods in a place; a copy. */
  public List<String> uids(Place place) {
    return switch (place) {
      case IN_FLIGHT -> inFlight.uids();
      case AFTER_GROUP, WITHOUT_GROUP -> uids(groups.pods(place));
      default -> uids(places.pods(place));
    };
  }

  private static List<String> uids(List<QueuedPod> pods) {
    return pods.stream().map(pod -> pod.pod.uid()).toList();
  }
}
