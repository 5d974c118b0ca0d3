// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.plugin.Coordinate;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Scope;
import io.exaplane.scheduler.engine.plugin.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What nodes in {@link Cells} are worth to one class of pods. What depends on a node and its pods
 * alone is the node's key in its {@link Cell}; what other nodes have a say in (spreading, affinity,
 * the best of all that scores are normalised by) is the same for all nodes of a cell, and asked for
 * one of each. For its cluster's thread.
 */
abstract class CellIndex {
  static final long RANK_BITS = 32;
  static final long LOW = (1L << RANK_BITS) - 1;

  final Cluster cluster;
  final ClassPlan plan;
  final int priority;
  final Filter[] ofNode;
  final Filter[] ofCell;
  final Scorer[] cellScorers;
  final int[] cellWeights;
  final NodeTest nodeTest;
  final CellScores scores = new CellScores();
  int feasibleCount;
  private final Scorer[] nodeScorers;
  private final int[] nodeWeights;
  private final Scorer[] fixedScorers;
  private final int[] fixedWeights;
  private final NodeTest guestTest;
  private final Filter[] asked;

  CellIndex(Cluster cluster, ClassPlan plan) {
    this.cluster = cluster;
    this.plan = plan;
    priority = plan.priority;
    ofNode = filters(Scope.PODS_OF_NODE);
    ofCell = filters(Scope.CLUSTER);
    nodeScorers = plan.scorers(scope -> scope == Scope.PODS_OF_NODE);
    nodeWeights = plan.weights(scope -> scope == Scope.PODS_OF_NODE);
    fixedScorers = plan.scorers(scope -> scope == Scope.NODE);
    fixedWeights = plan.weights(scope -> scope == Scope.NODE);
    cellScorers = plan.scorers(scope -> scope == Scope.CLUSTER);
    cellWeights = plan.weights(scope -> scope == Scope.CLUSTER);
    nodeTest = new NodeTest(cluster);
    nodeTest.use(ofNode, ofNode.length);
    guestTest = new NodeTest(cluster);
    asked = new Filter[ofNode.length + ofCell.length];
  }

  /** Whether nodes can be in cells for a class at all. */
  static boolean isPossible(ClassPlan plan) {
    for (Filter filter : plan.filters) {
      if ((filter.scope() == Scope.CLUSTER && filter.coordinates() == null)
          || filter.prepare().rejection() != null
          || filter.prepare().nodeNames() != null) {
        return false;
      }
    }
    long most = 0;
    for (int i = 0; i < plan.scorers.length; i++) {
      if (plan.scorers[i].scope() == Scope.CLUSTER && plan.scorers[i].coordinates() == null) {
        return false;
      }
      most += Scorer.MAX * plan.weights[i];
    }
    return most <= Integer.MAX_VALUE;
  }

  final Filter[] filters(Scope scope) {
    return Arrays.stream(plan.filters).filter(f -> f.scope() == scope).toArray(Filter[]::new);
  }

  /** A node with pods that wait for it is not like others where those pods count elsewhere, too. */
  final List<Coordinate> coordinates() {
    List<Coordinate> coordinates = new ArrayList<>();
    for (Filter filter : ofCell) {
      coordinates.addAll(filter.coordinates());
    }
    for (Scorer scorer : cellScorers) {
      coordinates.addAll(scorer.coordinates());
    }
    if (ofCell.length > 0) {
      coordinates.add(Coordinate.ofNode(this::hasGuests, cluster.nodes()));
    }
    return coordinates;
  }

  /** The cells as they are now. */
  abstract Cells cells();

  /** The node that has a key. */
  abstract int nodeOf(long key);

  /** Takes the best node of each cell that does into {@link #scores}. */
  final void askCells() {
    int count = 0;
    for (Filter filter : ofCell) {
      if (!filter.prepare().skipped()) {
        asked[count++] = filter;
      }
    }
    scores.clear();
    feasibleCount = 0;
    Cells cells = cells();
    for (int i = 0; i < cells.count(); i++) {
      Cell cell = cells.get(i);
      long key = cell.largest();
      int node = nodeOf(key);
      if (passes(node, count)) {
        scores.add(node, cell.sizeWithUnnamed(), key >> RANK_BITS);
        feasibleCount += cell.sizeWithUnnamed();
      }
    }
  }

  /** Adds what depends on other nodes. */
  final void scoreCells() {
    for (int i = 0; i < cellScorers.length; i++) {
      scores.add(cellScorers[i], cellWeights[i]);
    }
  }

  private boolean passes(int node, int filters) {
    if (hasGuests(node)) {
      System.arraycopy(ofNode, 0, asked, filters, ofNode.length);
      guestTest.use(asked, filters + ofNode.length);
      return guestTest.passes(priority, node);
    }
    for (int i = 0; i < filters; i++) {
      if (asked[i].test(node) != Filter.PASSES) {
        return false;
      }
    }
    return true;
  }

  /** Whether pods wait for the node whose presence may count elsewhere, too. */
  private boolean hasGuests(int node) {
    return ofCell.length > 0 && guestTest.hasGuests(priority, node);
  }

  /** Whether its pods leave room on a node against which nothing else speaks. */
  final boolean hasRoom(int node) {
    return hasGuests(node) || nodeTest.passes(priority, node);
  }

  /**
   * What a node is worth by itself.
   *
   * @param fixed what does not depend on its pods
   */
  final long score(int node, long fixed) {
    long total = fixed;
    for (int i = 0; i < nodeScorers.length; i++) {
      total += nodeWeights[i] * nodeScorers[i].score(node);
    }
    return total;
  }

  /** What a node is worth by itself, whatever its pods. */
  final long fixedScore(int node) {
    long total = 0;
    for (int i = 0; i < fixedScorers.length; i++) {
      total += fixedWeights[i] * fixedScorers[i].score(node);
    }
    return total;
  }

  static boolean passes(Filter[] filters, int node) {
    for (Filter filter : filters) {
      if (filter.test(node) != Filter.PASSES) {
        return false;
      }
    }
    return true;
  }
}
