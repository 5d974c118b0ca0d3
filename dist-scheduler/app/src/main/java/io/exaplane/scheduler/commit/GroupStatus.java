// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/**
 * What the scheduler says in the status of a group of pods: whether enough of them have been bound
 * to nodes once. Source: k8s.io/api/scheduling/v1beta1, PodGroupInitiallyScheduled.
 *
 * @param status of the condition, True or False
 */
public record GroupStatus(String status, String reason, String message) {
  static final String TYPE = "PodGroupInitiallyScheduled";
  static final String TRUE = "True";

  /** Enough of its pods go to nodes. */
  public static GroupStatus scheduled() {
    return new GroupStatus(TRUE, "Scheduled", "");
  }

  /** Too few of its pods do. */
  public static GroupStatus refused(boolean error, String message) {
    return new GroupStatus("False", error ? "SchedulerError" : "Unschedulable", message);
  }
}
