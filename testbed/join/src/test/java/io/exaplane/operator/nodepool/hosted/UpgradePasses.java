// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** The operator's own passes over the nodes of a pool that is upgraded. One thread. */
public final class UpgradePasses {
  private final NodeTurns turns = new NodeTurns();
  private final KubernetesClient client;
  private final Clock clock = Clock.systemUTC();

  /** The client is the caller's to close. */
  public UpgradePasses(KubernetesClient client) {
    this.client = client;
  }

  /** Decides, and does what was decided. */
  public UpgradePlan pass(List<NodeTurn> nodes, NodeUpgradeSpec spec, String version) {
    UpgradePlan plan =
        UpgradePlan.of(
            new UpgradePlan.Input(
                Optional.of(spec.filled()),
                version,
                nodes,
                turns.drains(),
                turns.away(nodes, clock.instant()),
                Optional.empty(),
                clock.instant()));
    turns
        .carryOut(plan.acts(), clock.instant(), client)
        .ifPresent(
            refused -> {
              throw refused;
            });
    return plan;
  }
}
