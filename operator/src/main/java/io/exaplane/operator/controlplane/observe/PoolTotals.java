// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.NodeTotals;
import io.exaplane.operator.controlplane.sizing.AgentAccounts;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The nodes of all pools of a control plane, from the statuses of the pools. Pure. */
public final class PoolTotals {
  private PoolTotals() {}

  /**
   * The totals; null without a pool.
   *
   * @param renewals a second of all Leases of nodes, as counted; nothing if nobody counts them
   */
  public static NodeTotals of(Collection<NodePool> pools, OptionalInt renewals) {
    return pools.isEmpty()
        ? null
        : new NodeTotals(
            pools.size(),
            sum(pools, NodePoolStatus.Nodes::registered),
            sum(pools, NodePoolStatus.Nodes::ready),
            pools.stream().mapToInt(pool -> pool.getSpec().maxNodes()).sum(),
            pools.stream()
                .map(PoolTotals::longestLease)
                .filter(Objects::nonNull)
                .max(Integer::compare)
                .orElse(null),
            new NodeTotals.LeaseRenewals(
                pools.stream()
                    .flatMap(pool -> Stream.ofNullable(pool.getStatus()))
                    .flatMap(status -> Stream.ofNullable(status.leaseRenewalsPerSecond()))
                    .mapToInt(NodePoolStatus.LeaseRenewals::expected)
                    .sum(),
                renewals.isPresent() ? renewals.getAsInt() : null));
  }

  private static int sum(Collection<NodePool> pools, ToIntFunction<NodePoolStatus.Nodes> number) {
    return pools.stream()
        .flatMap(pool -> Stream.ofNullable(pool.getStatus()))
        .flatMap(status -> Stream.ofNullable(status.nodes()))
        .mapToInt(number)
        .sum();
  }

  private static Integer longestLease(NodePool pool) {
    return of(
        of(pool.getStatus(), NodePoolStatus::heartbeats), beats -> beats.longestLeaseSeconds());
  }

  /** Which CAs nodes are to trust, and how many do not: each time that their number halves. */
  private static String followed(NodePool pool) {
    NodePoolStatus.Authorities told = of(pool.getStatus(), NodePoolStatus::authorities);
    return told == null
        ? null
        : told.id() + " " + (Integer.SIZE - Integer.numberOfLeadingZeros(told.otherNodes()));
  }

  private static <T, R> R of(T value, Function<T, R> part) {
    return value == null ? null : part.apply(value);
  }

  /**
   * Whether a change of a pool's status changes totals that are to be told at once. While nodes
   * join, numbers change each two seconds, and a control plane's pass asks its API for a hundred
   * objects.
   */
  public static boolean isNews(NodePool newer, NodePool older) {
    boolean isJoining =
        newer.getStatus() != null
            && newer.getStatus().nodes() != null
            && newer.getStatus().nodes().joining() > 0;
    return !newer.getSpec().maxNodes().equals(older.getSpec().maxNodes())
        || !Objects.equals(longestLease(newer), longestLease(older))
        || !Objects.equals(followed(newer), followed(older))
        || !AgentAccounts.of(List.of(newer)).equals(AgentAccounts.of(List.of(older)))
        || !isJoining
            && !Objects.equals(
                of(newer.getStatus(), NodePoolStatus::nodes),
                of(older.getStatus(), NodePoolStatus::nodes));
  }
}
