// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.status;

import io.exaplane.api.v1alpha1.NodePoolStatus.Upgrade;
import io.exaplane.api.v1alpha1.NodePoolStatus.UpgradingNode;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import java.util.List;

/** How a status tells of an upgrade. Pure. */
final class UpgradeTexts {
  private static final int MOST_NODES = 10;

  private UpgradeTexts() {}

  static Upgrade status(UpgradePlan plan) {
    List<UpgradingNode> nodes =
        plan.going().stream()
            .limit(MOST_NODES)
            .map(
                going ->
                    new UpgradingNode(
                        going.node(),
                        going.turn().phase().name(),
                        going.turn().since().toString(),
                        going.obstacle().isEmpty() ? null : going.obstacle()))
            .toList();
    return new Upgrade(
        plan.version(), plan.updated(), plan.outdated(), nodes.isEmpty() ? null : nodes);
  }
}
