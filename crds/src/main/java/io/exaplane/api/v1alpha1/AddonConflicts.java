// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What happens when another field manager owns a field of an add-on's object. */
public enum AddonConflicts {
  /** The operator takes the field. */
  Force,
  /** The operator leaves the object alone, and reports it. */
  Respect
}
