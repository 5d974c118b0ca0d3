// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.placement;

import io.exaplane.scheduler.model.ChangedNodes;
import io.exaplane.scheduler.model.Cluster;
import io.exaplane.scheduler.plugin.Coordinate;
import io.exaplane.scheduler.plugin.Filter;
import io.exaplane.scheduler.plugin.Scope;
import io.exaplane.scheduler.plugin.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The scores of all nodes for one class of pods, best first. What depends on a node and its pods
 * alone is the node's key in its {@link Cell}; what other nodes have a say in (spreading, affinity,
 * the best of all that scores are normalised by) is the same for all nodes of a cell, and asked for
 * one of each. A pod that comes or goes touches one node, whose key is worked out anew before the
 * next answer. For its cluster's thread; 40 to 56 bytes a node.
 */
final class ClassIndex {
  private static final long RANK_BITS = 32;
  private static final long LOW = (1L << RANK_BITS) - 1;

  /** After so many it is quicker to ask all nodes. */
  private static final int MOST_REFUSALS = 256;

  /** So many cells are never too many. */
  private static final int FEW_CELLS = 64;

  private final Cluster cluster;
  private final ClassPlan plan;
  private final int priority;
  private final Filter[] ofNode;
  private final Filter[] ofCell;
  private final Scorer[] nodeScorers;
  private final int[] nodeWeights;
  private final Scorer[] cellScorers;
  private final int[] cellWeights;
  private final NodeTest nodeTest;
  private final LocalNodes local;
  private final NodeTest guestTest;
  private final Filter[] asked;
  private final long[] fixed;
  private final BitSet possible;
  private final int[] ranks;
  private final int[] byRank;
  private final Cells cells;
  private final CellScores scores = new CellScores();
  private int feasibleCount;
  private int refusals;
  private long readTo;

  private ClassIndex(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    this.cluster = cluster;
    this.plan = plan;
    priority = plan.priority;
    int size = cluster.nodes().size();
    ofNode = filters(Scope.PODS_OF_NODE);
    ofCell = filters(Scope.CLUSTER);
    nodeScorers = plan.scorers(scope -> scope == Scope.PODS_OF_NODE);
    nodeWeights = plan.weights(scope -> scope == Scope.PODS_OF_NODE);
    cellScorers = plan.scorers(scope -> scope == Scope.CLUSTER);
    cellWeights = plan.weights(scope -> scope == Scope.CLUSTER);
    possible = new BitSet(size);
    nodeTest = new NodeTest(cluster);
    nodeTest.use(ofNode, ofNode.length);
    local = ofCell.length > 0 ? null : new LocalNodes(possible, nodeTest);
    guestTest = new NodeTest(cluster);
    asked = new Filter[ofNode.length + ofCell.length];
    fixed = new long[size];
    ranks = tieBreak.ranks();
    byRank = tieBreak.byRank();
    List<Coordinate> coordinates = coordinates();
    cells = new Cells(coordinates, size);
    build(coordinates);
  }

  /** The index of a class, or null if it would be no quicker than asking every node. */
  static ClassIndex of(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    for (Filter filter : plan.filters) {
      if ((filter.scope() == Scope.CLUSTER && filter.coordinates() == null)
          || filter.prepare().rejection() != null
          || filter.prepare().nodeNames() != null) {
        return null;
      }
    }
    long most = 0;
    for (int i = 0; i < plan.scorers.length; i++) {
      if (plan.scorers[i].scope() == Scope.CLUSTER && plan.scorers[i].coordinates() == null) {
        return null;
      }
      most += Scorer.MAX * plan.weights[i];
    }
    if (most > Integer.MAX_VALUE) {
      return null;
    }
    ClassIndex index = new ClassIndex(cluster, plan, tieBreak);
    boolean many = index.cells.count() > Math.max(FEW_CELLS, cluster.nodesHere() / 2);
    return many ? null : index;
  }

  private Filter[] filters(Scope scope) {
    return Arrays.stream(plan.filters).filter(f -> f.scope() == scope).toArray(Filter[]::new);
  }

  /** A node with pods that wait for it is not like others where those pods count elsewhere, too. */
  private List<Coordinate> coordinates() {
    List<Coordinate> coordinates = new ArrayList<>();
    for (Filter filter : ofCell) {
      coordinates.addAll(filter.coordinates());
    }
    for (Scorer scorer : cellScorers) {
      coordinates.addAll(scorer.coordinates());
    }
    if (ofCell.length > 0) {
      coordinates.add(Coordinate.moving(n -> guestTest.hasGuests(priority, n) ? n + 1 : 0));
    }
    return coordinates;
  }

  /** The best node now, or -1. */
  int best() {
    catchUp();
    askCells();
    return scores.isEmpty() ? -1 : bestOfCells();
  }

  /** The best nodes of the cells that do now, to be scored together with nodes elsewhere. */
  PartialScores part() {
    catchUp();
    askCells();
    return new PartialScores(scores, feasibleCount, cellScorers, cellWeights);
  }

  /**
   * The same of those nodes that pass another test, too; null where {@link #best(IntPredicate)}
   * cannot tell, or where it matters for nodes elsewhere how many pass.
   */
  PartialScores part(IntPredicate passes) {
    for (Scorer scorer : cellScorers) {
      if (scorer.countsFeasible()) {
        return null;
      }
    }
    return gather(passes)
        ? new PartialScores(scores, feasibleCount, cellScorers, cellWeights)
        : null;
  }

  private int bestOfCells() {
    for (int i = 0; i < cellScorers.length; i++) {
      scores.add(cellScorers[i], cellWeights[i]);
    }
    return scores.best(ranks);
  }

  /**
   * The best node now of those that pass another test, too. To be asked while no pods wait for
   * nodes.
   *
   * @return its number, -1 if there is none, or {@link Cycle#UNKNOWN} if it matters for the scores
   *     which nodes pass, or too many do not
   */
  int best(IntPredicate passes) {
    if (!gather(passes)) {
      return Cycle.UNKNOWN;
    }
    return scores.isEmpty() ? -1 : bestOfCells();
  }

  /** Finds the best node of the only cell that passes; false if that does not tell. */
  private boolean gather(IntPredicate passes) {
    catchUp();
    askCells();
    if (cells.count() != 1 || scores.isEmpty()) {
      return cells.count() <= 1;
    }
    Cell cell = cells.get(0);
    scores.clear();
    feasibleCount = 0;
    refusals = 0;
    cell.descend(
        key -> {
          int node = nodeOf(key);
          if (!passes.test(node)) {
            refusals++;
          } else if (feasibleCount++ == 0) {
            scores.add(node, cell.size(), key >> RANK_BITS);
          }
          return feasibleCount < 2 && refusals < MOST_REFUSALS;
        });
    return refusals < MOST_REFUSALS;
  }

  /** The nodes that are possible, or null if other nodes decide, too. */
  LocalNodes local() {
    return local;
  }

  /** The score of the node that {@link #best} found last. */
  long bestScore() {
    return scores.bestTotal();
  }

  /** How many nodes do, as of the last {@link #best}; 2 stand for more where a test was given. */
  int feasibleCount() {
    return feasibleCount;
  }

  private void askCells() {
    int count = 0;
    for (Filter filter : ofCell) {
      if (!filter.prepare().skipped()) {
        asked[count++] = filter;
      }
    }
    scores.clear();
    feasibleCount = 0;
    for (int i = 0; i < cells.count(); i++) {
      Cell cell = cells.get(i);
      long key = cell.largest();
      int node = nodeOf(key);
      if (passes(node, count)) {
        scores.add(node, cell.size(), key >> RANK_BITS);
        feasibleCount += cell.size();
      }
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

  private void catchUp() {
    ChangedNodes changes = cluster.changes();
    if (!changes.keeps(readTo)) {
      refill();
      return;
    }
    for (; readTo < changes.end(); readTo++) {
      int node = changes.at(readTo);
      if (does(node)) {
        cells.set(node, key(node));
      } else {
        cells.remove(node);
      }
    }
  }

  private boolean does(int node) {
    return possible.get(node) && (hasGuests(node) || nodeTest.passes(priority, node));
  }

  private int nodeOf(long key) {
    return byRank[(int) (LOW - (key & LOW))];
  }

  private long key(int node) {
    long total = fixed[node];
    for (int i = 0; i < nodeScorers.length; i++) {
      total += nodeWeights[i] * nodeScorers[i].score(node);
    }
    return (total << RANK_BITS) | (LOW - ranks[node]);
  }

  private void build(List<Coordinate> coordinates) {
    Filter[] still = filters(Scope.NODE);
    int[] nodes = new int[fixed.length];
    int count = 0;
    for (int node = 0; node < fixed.length; node++) {
      if (cluster.nodes().node(node) == null || !passes(still, node)) {
        continue;
      }
      possible.set(node);
      nodes[count++] = node;
      for (int s = 0; s < plan.scorers.length; s++) {
        if (plan.scorers[s].scope() == Scope.NODE) {
          fixed[node] += plan.weights[s] * plan.scorers[s].score(node);
        }
      }
    }
    cells.locate(coordinates, nodes, count);
    refill();
  }

  private static boolean passes(Filter[] filters, int node) {
    for (Filter filter : filters) {
      if (filter.test(node) != Filter.PASSES) {
        return false;
      }
    }
    return true;
  }

  /** Takes every node anew. */
  private void refill() {
    readTo = cluster.changes().end();
    cells.clear();
    for (int node = possible.nextSetBit(0); node >= 0; node = possible.nextSetBit(node + 1)) {
      if (does(node)) {
        cells.append(node, key(node));
      }
    }
    cells.rebuild();
  }
}
