// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Conditions of a ControlPlaneTask. True is good but for Reconciling and Stalled. */
public enum TaskCondition {
  /** The task did all that it was to do. */
  Complete,
  /** The same: for tools that know this condition of any Kind. */
  Ready,
  /** The task is under way, or waits for its turn: for tools. */
  Reconciling,
  /** The task ended without success: for tools. */
  Stalled
}
