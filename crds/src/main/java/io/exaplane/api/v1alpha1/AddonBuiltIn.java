// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Add-ons whose objects the operator makes itself. */
public enum AddonBuiltIn {
  /** The DNS of Services, at the address that nodes of node pools ask. */
  CoreDNS,
  /** Packets to Services, on nodes whose hosts run no kube-proxy. */
  KubeProxy
}
