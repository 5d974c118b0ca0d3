// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How far a rotation is to go. */
public enum RotationWish {
  /** A new key is made, trusted everywhere beside the old one, and used. */
  Prepare,
  /** The old key is trusted nowhere any more. */
  Complete
}
