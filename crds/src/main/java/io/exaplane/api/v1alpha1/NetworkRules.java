// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * What of a network may change. All of it is in flags, certificates, Services or nodes, except for
 * {@code nodeCIDRs}: the operator alone reads that field, each time that it judges a kubelet's
 * request. Constants of the schema.
 */
final class NetworkRules {
  private static final String NOW = "(has(self.network) && has(self.network.";
  private static final String BEFORE = "(has(oldSelf.network) && has(oldSelf.network.";

  private static final String FAMILIES =
      NOW
          + "ipFamilies)) == "
          + BEFORE
          + "ipFamilies)) && (!"
          + NOW
          + "ipFamilies)) || self.network.ipFamilies == oldSelf.network.ipFamilies)";

  private static final String SERVICES =
      NOW
          + "serviceCIDRs)) == "
          + BEFORE
          + "serviceCIDRs)) && (!"
          + NOW
          + "serviceCIDRs)) || self.network.serviceCIDRs == oldSelf.network.serviceCIDRs)";

  private static final String PODS =
      NOW
          + "podCIDRs)) == "
          + BEFORE
          + "podCIDRs)) && (!"
          + NOW
          + "podCIDRs)) || self.network.podCIDRs == oldSelf.network.podCIDRs)";

  private static final String DOMAIN =
      NOW
          + "clusterDomain)) == "
          + BEFORE
          + "clusterDomain)) && (!"
          + NOW
          + "clusterDomain)) || self.network.clusterDomain == oldSelf.network.clusterDomain)";

  /** Of a spec that has a spec before it. */
  static final String FIXED = FAMILIES + " && " + SERVICES + " && " + PODS + " && " + DOMAIN;

  static final String FIXED_RULE =
      "network: is immutable except for nodeCIDRs, since every node and Service uses it; create a"
          + " new ControlPlane instead";

  private NetworkRules() {}
}
