// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** What the meltdown guard does. */
public enum GuardMode {
  /** It looks at nothing. */
  Off,
  /** It decides and tells, and changes nothing in the hosted cluster. */
  Observe,
  /** It stops the declaration of nodes as dead while that cannot be believed. */
  Enforce
}
