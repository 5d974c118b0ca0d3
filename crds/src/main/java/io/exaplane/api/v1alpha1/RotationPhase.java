// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How far a rotation is. */
public enum RotationPhase {
  /** The new key is being trusted everywhere, and then used. */
  Preparing,
  /** The new key is used, and the old one is still trusted. */
  Prepared,
  /** The old key is being taken out of use. */
  Completing,
  /** Only the new key is trusted. */
  Completed
}
