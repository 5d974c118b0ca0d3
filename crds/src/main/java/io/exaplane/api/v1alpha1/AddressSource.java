// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How a host comes to the prefix that its pods get addresses of. */
public enum AddressSource {
  /** The host was given a whole prefix, which is routed to it. */
  StaticPrefix,
  /** The host has an address in a network; pods get a part of this network. */
  HostPrefix,
  /** The provider leads a prefix to the host that does not hold the host's own address. */
  DelegatedPrefix,
  /** A DHCPv6 server delegates a prefix to a client that the host keeps running. */
  RequestedPrefix
}
