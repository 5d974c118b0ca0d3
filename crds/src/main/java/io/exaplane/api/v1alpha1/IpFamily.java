// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** An IP address family, named as in Kubernetes. */
public enum IpFamily {
  IPv6,
  IPv4
}
