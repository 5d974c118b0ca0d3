// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Pod;
import java.util.List;
import java.util.Set;

/** A pod that waits, and what has become of it so far. Belongs to one {@link SchedulingQueue}. */
public final class QueuedPod extends Waiter {
  /** Where a pod is. */
  public enum Place {
    /** It is its turn as soon as those before it are done. */
    ACTIVE,
    /** It was refused and waits a while before its next turn. */
    BACKOFF,
    /** Its attempt failed for another reason than a refusal, and it waits a while. */
    ERROR_BACKOFF,
    /** It was refused, and nothing has happened since that could help. */
    UNSCHEDULABLE,
    /** From 1.37 on: somebody is deciding about its group, without it. */
    AFTER_GROUP,
    /** From 1.37 on: nobody knows its group yet. */
    WITHOUT_GROUP,
    /** Somebody is deciding about it. */
    IN_FLIGHT
  }

  Pod pod;

  /** From 1.37 on: with which it has its turns; null if it has them alone, or has none. */
  QueuedGroup group;

  QueuedPod(Pod pod, long number, long timestampNs) {
    super(number, timestampNs);
    this.pod = pod;
  }

  public Pod pod() {
    return pod;
  }

  public Place place() {
    return group == null ? place : group.place;
  }

  /** How often it was its turn. */
  public int attempts() {
    return attempts;
  }

  /** The plugins that refused it the last time, or keep it from its turn. */
  public Set<String> rejectors() {
    return rejectors;
  }

  /** Those whose turn it is when it is this pod's; a copy. */
  List<QueuedPod> together() {
    return group == null ? List.of(this) : List.copyOf(group.pods());
  }

  @Override
  String key() {
    return pod.key();
  }

  @Override
  int priority() {
    return pod.spec().priority();
  }

  @Override
  List<QueuedPod> pods() {
    return List.of(this);
  }
}
