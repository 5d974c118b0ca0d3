// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** The pod CIDRs have a range for each node. */
final class PodAddressesRule implements SpecRule {
  private static final int IPV6_NODE_PREFIX = 64;
  private static final int IPV4_NODE_PREFIX = 24;

  @Override
  public Optional<Problem> check(ControlPlaneSpec spec) {
    for (String cidr : NetworkSpec.podCIDRs(spec.network())) {
      boolean v6 = cidr.contains(":");
      int nodePrefix = v6 ? IPV6_NODE_PREFIX : IPV4_NODE_PREFIX;
      int prefix = Integer.parseInt(cidr.substring(cidr.indexOf('/') + 1));
      long nodes = 1L << (nodePrefix - prefix);
      if (nodes < spec.maxNodes()) {
        return broken(
            Reason.ClusterTooLarge,
            "spec.network.podCIDRs %s: has a /%d for %d nodes, but spec.maxNodes is %d; write a"
                + " shorter prefix (at most 65536 nodes), or remove the field so that each node"
                + " brings its own prefix.",
            cidr,
            nodePrefix,
            nodes,
            spec.maxNodes());
      }
    }
    return Optional.empty();
  }
}
