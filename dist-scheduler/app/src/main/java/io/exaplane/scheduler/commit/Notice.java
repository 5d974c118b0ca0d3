// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/**
 * What an Event tells.
 *
 * @param pod whom it is about
 * @param related whom it is about, too, or null
 * @param reporter the scheduler's name
 */
public record Notice(
    PodRef pod,
    PodRef related,
    String reporter,
    boolean warning,
    String reason,
    String action,
    String note) {
  /** A pod goes to a node. */
  static Notice scheduled(PodRef pod, String node) {
    String note = "Successfully assigned %s to %s".formatted(pod, node);
    return new Notice(pod, null, pod.scheduler(), false, "Scheduled", "Binding", note);
  }

  /** A pod waits for the devices that it was given. */
  static Notice unready(PodRef pod, String node) {
    String note = "waiting for binding conditions for device on node " + node;
    return new Notice(
        pod, null, pod.scheduler(), false, "BindingConditionsPending", "Scheduling", note);
  }

  /** A pod goes nowhere. */
  public static Notice refused(PodRef pod, String message) {
    return new Notice(pod, null, pod.scheduler(), true, "FailedScheduling", "Scheduling", message);
  }

  /** A pod had to go. */
  static Notice preempted(PodRef victim, PodRef by, String node) {
    return gone(victim, by, "Preempted by pod %s on node %s".formatted(by.uid(), node));
  }

  /** A pod that was on its way to a node waits again; upstream's words. */
  public static Notice heldBack(PodRef victim, PodRef by, String node) {
    String note = "Preempted by pod %s on node %s (in kube-scheduler memory).";
    return gone(victim, by, note.formatted(by.uid(), node));
  }

  private static Notice gone(PodRef victim, PodRef by, String note) {
    return new Notice(victim, by, by.scheduler(), false, "Preempted", "Preempting", note);
  }
}
