// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.StableHash;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * A number of a node. Of nodes that are equal in all coordinates of a filter or scorer it says the
 * same at the same time. For its cluster's thread.
 */
public final class Coordinate {
  private static final int NO_DOMAIN = Integer.MIN_VALUE;

  private final boolean moves;
  private final IntUnaryOperator number;
  private final IntToLongFunction everywhere;

  private Coordinate(boolean moves, IntUnaryOperator number, IntToLongFunction everywhere) {
    this.moves = moves;
    this.number = number;
    this.everywhere = everywhere;
  }

  private static Coordinate of(boolean moves, IntUnaryOperator number) {
    return new Coordinate(moves, number, number::applyAsInt);
  }

  /** One that stays while nodes stay as they are. */
  public static Coordinate still(IntUnaryOperator number) {
    return of(false, number);
  }

  /** One that changes when pods come to that node, wait for it or go, and not otherwise. */
  public static Coordinate moving(IntUnaryOperator number) {
    return of(true, number);
  }

  /** One by which a node is like no other while something is true of it and its pods. */
  public static Coordinate ofNode(IntPredicate alone, NodeTable nodes) {
    return new Coordinate(
        true,
        node -> alone.test(node) ? node + 1 : 0,
        node -> alone.test(node) ? StableHash.of(nodes.node(node).name()) : 0);
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
      return new Coordinate(
          false,
          topology::domain,
          node -> {
            int domain = topology.domain(node);
            return domain == Topology.NONE ? NO_DOMAIN : StableHash.of(topology.value(domain));
          });
    }
    return of(
        true,
        node -> {
          int domain = topology.domain(node);
          return domain == Topology.NONE ? NO_DOMAIN : what.applyAsInt(sums.of(domain));
        });
  }

  /** The same of nodes that have other numbers. */
  public Coordinate by(IntUnaryOperator node) {
    return new Coordinate(
        moves,
        number -> at(node.applyAsInt(number)),
        number -> everywhere(node.applyAsInt(number)));
  }

  /** Whether it changes with the node's pods. */
  public boolean moves() {
    return moves;
  }

  public int at(int node) {
    return number.applyAsInt(node);
  }

  /** A number that means the same in whichever {@link Cluster} the node is. */
  public long everywhere(int node) {
    return everywhere.applyAsLong(node);
  }
}
