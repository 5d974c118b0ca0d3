// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/**
 * What the scheduler says in a pod's status.
 *
 * @param reason of the condition PodScheduled=False, or null to leave it as it is
 * @param nominatedNode for which the pod waits, empty for none, or null to leave it as it is
 */
public record PodStatus(String reason, String message, String nominatedNode) {
  private static final String UNSCHEDULABLE = "Unschedulable";
  private static final String ERROR = "SchedulerError";

  /** A pod went nowhere. */
  public static PodStatus refused(boolean error, String message, String nominatedNode) {
    return new PodStatus(error ? ERROR : UNSCHEDULABLE, message, nominatedNode);
  }

  /** A pod waits for no node any more. */
  public static PodStatus waitsNoMore() {
    return new PodStatus(null, null, "");
  }

  /** A pod is to go to a node, and something has to be done before. */
  static PodStatus expectedOn(String node) {
    return new PodStatus(null, null, node);
  }

  /** This, and of what it leaves as it is, what was said before. */
  PodStatus after(PodStatus before) {
    return before == null
        ? this
        : new PodStatus(
            reason == null ? before.reason : reason,
            reason == null ? before.message : message,
            nominatedNode == null ? before.nominatedNode : nominatedNode);
  }
}
