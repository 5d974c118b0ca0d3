// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.repair;

import io.exaplane.api.v1alpha1.NodeRepairSpec;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeCounts.SilentNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which Nodes are to be deleted now. Immutable.
 *
 * @param due those that are silent for too long, the longest first; none while held
 * @param hold why none is deleted, and the next action; empty if nothing holds
 * @param next when the next one is due; empty if none is silent
 */
public record RepairPlan(List<SilentNode> due, Optional<String> hold, Optional<Instant> next) {
  /** A Lease that is the same after that time is renewed by nobody. */
  public static final Duration STILL = Duration.ofMinutes(2);

  private static final int ALL = 100;

  public RepairPlan {
    due = List.copyOf(due);
  }

  /**
   * Decides.
   *
   * @param frozen whether the meltdown guard holds evictions back
   * @param unavailable whether the API does not serve, so that nodes cannot speak
   */
  public static RepairPlan of(
      NodeRepairSpec spec, NodeCounts counts, boolean frozen, boolean unavailable, Instant now) {
    Duration limit = Duration.ofMinutes(spec.removeAfterMinutes());
    List<SilentNode> first = counts.silent().first();
    Optional<Instant> next = first.stream().findFirst().map(node -> node.since().plus(limit));
    if (first.isEmpty()) {
      return new RepairPlan(List.of(), Optional.empty(), next);
    }
    Optional<String> hold = hold(spec, counts, frozen, unavailable);
    return new RepairPlan(
        hold.isPresent()
            ? List.of()
            : first.stream().filter(node -> !now.isBefore(node.since().plus(limit))).toList(),
        hold,
        next);
  }

  private static Optional<String> hold(
      NodeRepairSpec spec, NodeCounts counts, boolean frozen, boolean unavailable) {
    if (frozen) {
      return Optional.of(
          "the meltdown guard holds evictions back. See NodeEvictionsAllowed of the ControlPlane.");
    }
    if (unavailable) {
      return Optional.of("the API does not serve. See Available of the ControlPlane.");
    }
    int silent = counts.silent().number();
    int most = Math.max(1, counts.registered() * spec.silentPercent() / ALL);
    return silent > most
        ? Optional.of(
            "%d of %d nodes are silent, and spec.repair.maxSilentPercent %d allows %d. Check the network between the nodes and the API. If the hosts are gone, delete their Nodes, or raise the value."
                .formatted(silent, counts.registered(), spec.silentPercent(), most))
        : Optional.empty();
  }
}
