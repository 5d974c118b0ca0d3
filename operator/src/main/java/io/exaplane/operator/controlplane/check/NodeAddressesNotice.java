// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.hosted.PoolNetwork;
import io.exaplane.operator.outcome.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What is said of a control plane some of whose nodes get serving certificates for addresses that
 * no object but their own Node names. {@code ServingRules} lets these nodes have them: the operator
 * knows nothing about where the hosts of a plain control plane are. Pure.
 */
public final class NodeAddressesNotice {
  /** A message names no more pools than this. */
  private static final int MOST = 5;

  private NodeAddressesNotice() {}

  /**
   * The notice, if one is due.
   *
   * @param pools the NodePools of the control plane
   */
  public static Optional<Problem> of(ControlPlane controlPlane, Collection<NodePool> pools) {
    if (!NetworkSpec.nodeCIDRs(controlPlane.getSpec().network()).isEmpty()) {
      return Optional.empty();
    }
    List<PoolNetwork> networks = PoolNetwork.of(pools);
    List<String> unproven =
        networks.stream().filter(pool -> !pool.holdsHosts()).map(PoolNetwork::pool).toList();
    if (unproven.isEmpty() && !networks.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Problem.of(
            Reason.NodeAddressesUnproven,
            "Serving certificates of nodes %swithout a NodePool%s can have addresses that only the"
                + " node itself names. Set spec.network.nodeCIDRs to the networks of all nodes;"
                + " that restarts nothing.",
            unproven.isEmpty() ? "" : "of %s, and of nodes ".formatted(named(unproven)),
            unproven.isEmpty() ? "" : ","));
  }

  private static String named(List<String> pools) {
    String first = String.join(", ", pools.subList(0, Math.min(MOST, pools.size())));
    return (pools.size() == 1 ? "NodePool " : "NodePools ")
        + first
        + (pools.size() > MOST ? " and %d more".formatted(pools.size() - MOST) : "");
  }
}
