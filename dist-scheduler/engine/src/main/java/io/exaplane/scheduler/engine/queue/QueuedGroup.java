// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The pods of a group that wait, as 1.37 keeps them: in one place, with one wait and one gate.
 * Source: pkg/scheduler/framework/types.go, QueuedPodGroupInfo.
 */
final class QueuedGroup extends Waiter {
  /** Source: PodGroupMemberPodsOrderingFunc. */
  private static final Comparator<QueuedPod> MEMBERS =
      Comparator.<QueuedPod>comparingInt(QueuedPod::priority)
          .reversed()
          .thenComparing(Comparator.<QueuedPod>comparingInt(pod -> pod.attempts).reversed())
          .thenComparingLong(pod -> pod.timestampNs)
          .thenComparing(pod -> pod.pod.name());

  private final List<QueuedPod> pods = new ArrayList<>();

  /** As it was told last. */
  PodGroup group;

  QueuedGroup(PodGroup group, long number, long timestampNs) {
    super(number, timestampNs);
    this.group = group;
  }

  /** Of a group's key. */
  static String key(String groupKey) {
    return "group:" + groupKey;
  }

  void add(QueuedPod pod) {
    int at = 0;
    while (at < pods.size() && MEMBERS.compare(pods.get(at), pod) < 0) {
      at++;
    }
    pods.add(at, pod);
    pod.group = this;
    pod.place = QueuedPod.Place.IN_FLIGHT;
  }

  void remove(QueuedPod pod) {
    pods.remove(pod);
    pod.group = null;
  }

  /** The same without pods: how often it was tried, and since when it waits. */
  QueuedGroup anew(PodGroup now) {
    QueuedGroup other = new QueuedGroup(now, number, timestampNs);
    other.sinceNs = sinceNs;
    other.attempts = attempts;
    other.refusals = refusals;
    other.errorsInRow = errorsInRow;
    other.firstTurn = firstTurn;
    return other;
  }

  /** Whether this pod, or what it was before, is one of them. */
  boolean had(QueuedPod pod) {
    return pods.stream().anyMatch(one -> one.pod.uid().equals(pod.pod.uid()));
  }

  /** The pod with this key, or null. */
  QueuedPod pod(String podKey) {
    for (QueuedPod pod : pods) {
      if (pod.key().equals(podKey)) {
        return pod;
      }
    }
    return null;
  }

  @Override
  String key() {
    return key(group.key());
  }

  @Override
  int priority() {
    return group.priority();
  }

  @Override
  List<QueuedPod> pods() {
    return Collections.unmodifiableList(pods);
  }
}
