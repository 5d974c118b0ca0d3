// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How far a task is. */
public enum TaskState {
  /** It has not begun. */
  Pending,
  Running,
  /** All was done. */
  Succeeded,
  /** It began, and could not be carried to its end. */
  Failed,
  /** It can't be carried out, and did not begin. */
  Rejected;

  /** Whether nothing more happens. */
  public boolean isFinished() {
    return this == Succeeded || this == Failed || this == Rejected;
  }
}
