// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.gang;

/**
 * How far a group is while its pods are decided about, from 1.37 on. Source:
 * pkg/scheduler/framework/plugins/gangscheduling, PlacementFeasible.
 */
public final class Progress {
  private final int minCount;
  private int remaining;
  private int scheduled;

  /**
   * Of a group before the first pod.
   *
   * @param minCount how many pods have to have a node
   * @param remaining how many pods are to be decided about
   * @param scheduled how many pods are on nodes already
   */
  public Progress(int minCount, int remaining, int scheduled) {
    this.minCount = Math.max(1, minCount);
    this.remaining = remaining;
    this.scheduled = scheduled;
  }

  /** The next pod was decided about. */
  public void after(boolean places) {
    remaining--;
    scheduled += places ? 1 : 0;
  }

  /** Whether enough pods have a node. */
  public boolean isEnough() {
    return scheduled >= minCount;
  }

  /** Whether there will not be enough, whatever becomes of the remaining pods. */
  public boolean isHopeless() {
    return remaining + scheduled < minCount;
  }

  /** Why it is not enough; empty if it is. */
  public String says() {
    return isEnough()
        ? ""
        : "minCount (%d) %s: %d scheduled, %d remaining"
            .formatted(
                minCount,
                isHopeless() ? "cannot be satisfied" : "is not yet satisfied",
                scheduled,
                remaining);
  }

  /** The same with a code, as a status has it. */
  public String status() {
    return isEnough() ? "Success" : (isHopeless() ? "Unschedulable: " : "Wait: ") + says();
  }
}
