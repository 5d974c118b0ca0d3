// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.gang;

/**
 * What becomes of a group, by what became of its pods one after another. Source:
 * pkg/scheduler/schedule_one_podgroup.go, podGroupSchedulingDefaultAlgorithm.
 */
public final class GroupCycle {
  /** What becomes of a group. */
  public enum Verdict {
    /** Its pods go to the nodes that they found; those that found none are tried again. */
    SCHEDULED,
    /** It could if victims were gone: its pods wait for the places that they found. */
    WAITS_FOR_PREEMPTION,
    /** Too few of its pods found a place: none is bound, nobody has to go. */
    UNSCHEDULABLE,
    /** One of its pods failed for another reason than a refusal. */
    FAILED
  }

  private Verdict verdict = Verdict.UNSCHEDULABLE;
  private String error;
  private boolean preempts;

  /**
   * The next pod found a place.
   *
   * @param byPreemption whether somebody has to go for it
   * @param permitted whether enough of the group have one now
   */
  public void found(boolean byPreemption, boolean permitted) {
    preempts |= byPreemption;
    if (permitted) {
      verdict = preempts ? Verdict.WAITS_FOR_PREEMPTION : Verdict.SCHEDULED;
    }
  }

  /** The next pod failed: no others are tried. */
  public void failed(String message) {
    verdict = Verdict.FAILED;
    error = message;
  }

  public Verdict verdict() {
    return verdict;
  }

  /** Why a pod failed, if the group did. */
  public String error() {
    return error;
  }
}
