// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How far a task goes with a rotation. */
public enum TaskCompletion {
  /** To the end: the old key is trusted nowhere any more. */
  Automatic,
  /** To the phase in which both keys are trusted. */
  Manual
}
