// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;

/**
 * Whether a task did all that it was to do. The condition repeats the message of the status, and
 * says where no action is needed. Pure.
 */
public final class CompleteCondition {
  private CompleteCondition() {}

  /**
   * Of a task that has not begun.
   *
   * @param waits what it waits for, with the next action
   */
  public static Verdict pending(Reason reason, String waits) {
    return Verdict.no(reason, waits);
  }

  /**
   * Of a task that cannot be carried out.
   *
   * @param why the reason, with the next action
   */
  public static Verdict rejected(String why) {
    return Verdict.no(Reason.TaskRejected, why);
  }

  /**
   * Of a task that has begun.
   *
   * @param state Running, or how the task ended
   * @param message with the next action of a task that failed
   * @param held whether the message of a running task names what somebody has to do
   */
  public static Verdict of(TaskState state, String message, boolean held) {
    return switch (state) {
      case Succeeded -> Verdict.yes(Reason.AsExpected, message);
      case Failed -> Verdict.no(Reason.TaskFailed, message);
      default ->
          Verdict.no(
              Reason.TaskRunning, message + (state.isFinished() || held ? "" : Patience.NO_ACTION));
    };
  }
}
