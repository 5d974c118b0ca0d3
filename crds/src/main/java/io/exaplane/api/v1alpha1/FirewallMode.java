// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Whether the join script filters packets to the host. */
public enum FirewallMode {
  /** The script has no rules of this kind. */
  None,
  /** The script lets in only what a node needs, and the ports that the pool lists. */
  Managed
}
