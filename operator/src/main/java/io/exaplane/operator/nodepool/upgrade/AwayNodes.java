// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.upgrade;

import io.exaplane.operator.nodepool.address.NodeTurn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Nodes of a pool that the operator deleted so that their hosts make others, until another one of
 * the name is seen, or {@link UpgradePlan#AWAY} is over. Thread-safe.
 */
public final class AwayNodes {
  private final Map<String, Gone> gone = new ConcurrentHashMap<>();

  private record Gone(String uid, Instant since) {}

  /** The Node has been deleted now. */
  public void add(NodeTurn node, Instant now) {
    gone.put(node.name(), new Gone(node.uid(), now));
  }

  /**
   * When those that have not come back were deleted, by name.
   *
   * @param nodes of the pool as they are seen; one that was deleted may still be among them
   */
  public Map<String, Instant> look(List<NodeTurn> nodes, Instant now) {
    gone.values().removeIf(each -> !now.isBefore(each.since().plus(UpgradePlan.AWAY)));
    nodes.forEach(
        node ->
            gone.computeIfPresent(
                node.name(), (_, each) -> each.uid().equals(node.uid()) ? each : null));
    return gone.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().since()));
  }
}
