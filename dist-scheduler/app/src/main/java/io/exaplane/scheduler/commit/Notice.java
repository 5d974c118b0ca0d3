// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/**
 * What an Event tells.
 *
 * @param pod whom it is about
 * @param related for whom the pod has to go, or null
 * @param reporter the scheduler's name
 */
public record Notice(
    PodRef pod,
    Preemptor related,
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
  static Notice preempted(PodRef victim, Preemptor by) {
    return gone(victim, by, note(by));
  }

  /** A pod that was on its way to a node waits again; upstream's words. */
  public static Notice heldBack(PodRef victim, Preemptor by) {
    return gone(victim, by, note(by) + " (in kube-scheduler memory).");
  }

  private static String note(Preemptor by) {
    return "Preempted by %s %s on node %s".formatted(by.type(), by.uid(), by.where());
  }

  private static Notice gone(PodRef victim, Preemptor by, String note) {
    return new Notice(victim, by, by.scheduler(), false, "Preempted", "Preempting", note);
  }
}
