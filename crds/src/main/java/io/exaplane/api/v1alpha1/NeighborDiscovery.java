// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Who answers a router that asks on the link for the address of a pod. */
public enum NeighborDiscovery {
  /** Nobody: the prefix is routed to the host. */
  None,
  /** The kernel, with an entry for each address that pods may get. */
  KernelProxy,
  /** The daemon ndppd, for the whole prefix. */
  Ndppd,
  /** The kernel if the host finds that its prefix is on the link, and else nobody. */
  Auto
}
