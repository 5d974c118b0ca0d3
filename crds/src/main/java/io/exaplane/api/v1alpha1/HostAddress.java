// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Which address a host has whose prefix is delegated by DHCPv6. */
public enum HostAddress {
  /** The one that the host has anyway. */
  Own,
  /** The first address of the delegated prefix. */
  FromPrefix
}
