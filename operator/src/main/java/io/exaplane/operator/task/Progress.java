// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import java.util.Optional;

/**
 * How far a running task is. Immutable.
 *
 * @param state Running, or how the task ended
 * @param percent 0 to 100
 * @param remainingSeconds until the end, where a time is set for that; else the pace tells
 * @param message for people, with an end mark; a task that ended without success names what to do
 */
record Progress(
    TaskState state, TaskStep step, int percent, Optional<Long> remainingSeconds, String message) {
  private static final int ALL = 100;

  static Progress running(TaskStep step, int percent, String message) {
    return new Progress(TaskState.Running, step, percent, Optional.empty(), message);
  }

  static Progress succeeded(TaskStep step, String message) {
    return new Progress(TaskState.Succeeded, step, ALL, Optional.empty(), message);
  }

  static Progress failed(TaskStep step, int percent, String message) {
    return new Progress(TaskState.Failed, step, percent, Optional.empty(), message);
  }
}
