// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

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
 * @param held whether the message names what somebody has to do before the task continues
 * @param lasting the message without numbers that change by themselves, for conditions
 */
public record Progress(
    TaskState state,
    TaskStep step,
    int percent,
    Optional<Long> remainingSeconds,
    String message,
    boolean held,
    String lasting) {
  private static final int ALL = 100;

  /** Of a message in which nothing changes by itself. */
  public Progress(
      TaskState state,
      TaskStep step,
      int percent,
      Optional<Long> remainingSeconds,
      String message,
      boolean held) {
    this(state, step, percent, remainingSeconds, message, held, message);
  }

  /** Of a task that continues by itself. */
  public static Progress running(TaskStep step, int percent, String message) {
    return new Progress(TaskState.Running, step, percent, Optional.empty(), message, false);
  }

  /** Of a task that did all. */
  public static Progress succeeded(TaskStep step, String message) {
    return new Progress(TaskState.Succeeded, step, ALL, Optional.empty(), message, false);
  }

  /** Of a task that ended without success; the message names what to do. */
  public static Progress failed(TaskStep step, int percent, String message) {
    return new Progress(TaskState.Failed, step, percent, Optional.empty(), message, false);
  }

  /** The same, while the control plane carries nothing out; of a task that ended, just the same. */
  public Progress held(Optional<String> obstacle) {
    return obstacle
        .filter(_ -> state == TaskState.Running)
        .map(
            words ->
                new Progress(
                    state,
                    step,
                    percent,
                    remainingSeconds,
                    message + " " + words,
                    true,
                    lasting + " " + words))
        .orElse(this);
  }
}
