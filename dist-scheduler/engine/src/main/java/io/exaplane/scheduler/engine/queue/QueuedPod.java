// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import io.exaplane.scheduler.engine.model.Pod;
import java.util.Set;
import java.util.TreeSet;

/** A pod that waits, and what has become of it so far. Belongs to one {@link SchedulingQueue}. */
public final class QueuedPod {
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
    /** Somebody is deciding about it. */
    IN_FLIGHT
  }

  final long number;

  /** When it came, or left its gates for the first time. */
  long sinceNs;

  final Set<String> rejectors = new TreeSet<>();
  Pod pod;
  Place place = Place.IN_FLIGHT;
  long timestampNs;

  /** When it was tried again last because nothing had happened for long; {@link Long#MIN_VALUE}. */
  long triedNs = Long.MIN_VALUE;

  int attempts;
  int refusals;
  int errorsInRow;

  /** Counts up with the first turn that pods are let have; 0 before that. */
  long firstTurn;

  /** In which second its wait ends, or {@link Long#MIN_VALUE} if it never failed. */
  long waitEndSecond = Long.MIN_VALUE;

  /** The plugin that keeps it from its turn, or null. */
  String gatedBy;

  QueuedPod(Pod pod, long number, long timestampNs) {
    this.pod = pod;
    this.number = number;
    this.timestampNs = timestampNs;
    sinceNs = timestampNs;
  }

  public Pod pod() {
    return pod;
  }

  public Place place() {
    return place;
  }

  /** Since when it waits, nanoseconds since 1970. */
  public long sinceNs() {
    return sinceNs;
  }

  /** How often it was its turn. */
  public int attempts() {
    return attempts;
  }

  /** The plugins that refused it the last time, or keep it from its turn. */
  public Set<String> rejectors() {
    return rejectors;
  }

  /** Whether a plugin keeps it from its turn, scheduling gates for one. */
  public boolean isGated() {
    return gatedBy != null;
  }

  boolean waits(long nowNs) {
    return waitEndSecond >= Backoff.second(nowNs);
  }
}
