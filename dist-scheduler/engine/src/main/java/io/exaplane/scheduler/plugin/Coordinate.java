// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import io.exaplane.scheduler.model.DomainSums;
import io.exaplane.scheduler.model.Topology;
import java.util.function.IntUnaryOperator;

/**
 * A number of a node. Of nodes that are equal in all coordinates of a filter or scorer it says the
 * same at the same time. For its cluster's thread.
 */
public final class Coordinate {
  private static final int NO_DOMAIN = Integer.MIN_VALUE;

  private final boolean moves;
  private final IntUnaryOperator number;

  private Coordinate(boolean moves, IntUnaryOperator number) {
    this.moves = moves;
    this.number = number;
  }

  /** One that stays while nodes stay as they are. */
  public static Coordinate still(IntUnaryOperator number) {
    return new Coordinate(false, number);
  }

  /** One that changes when pods come to that node, wait for it or go, and not otherwise. */
  public static Coordinate moving(IntUnaryOperator number) {
    return new Coordinate(true, number);
  }

  /**
   * What decides how much there is in a node's domain: which domain it is; if no other node is in
   * it, how much that is.
   */
  static Coordinate of(DomainSums sums) {
    return of(sums, sum -> sum);
  }

  /** Like {@link #of(DomainSums)} for those that only want to know something about the sum. */
  static Coordinate of(DomainSums sums, IntUnaryOperator what) {
    Topology topology = sums.topology();
    if (!topology.isUnique()) {
      return still(topology::domain);
    }
    return moving(
        node -> {
          int domain = topology.domain(node);
          return domain == Topology.NONE ? NO_DOMAIN : what.applyAsInt(sums.of(domain));
        });
  }

  /** Whether it changes with the node's pods. */
  public boolean moves() {
    return moves;
  }

  public int at(int node) {
    return number.applyAsInt(node);
  }
}
