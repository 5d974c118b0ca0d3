// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What the operator does about a rollout that exceeded its deadline. */
public enum OnStall {
  /** Nothing further is replaced until a person acts. */
  Hold,
  /** The pods get the last template that was settled. */
  Rollback
}
