// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.ChangedNodes;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.plugin.Coordinate;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Scope;
import io.exaplane.scheduler.engine.plugin.Scorer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The scores of all nodes for one class of pods, best first. A pod that comes or goes touches one
 * node, whose key is worked out anew before the next answer. For its cluster's thread; 40 to 56
 * bytes a node.
 */
final class ClassIndex extends CellIndex {
  /** After so many it is quicker to ask all nodes. */
  private static final int MOST_REFUSALS = 256;

  /** So many cells are never too many. */
  private static final int FEW_CELLS = 64;

  private final LocalNodes local;
  private final long[] fixed;
  private final BitSet possible;
  private final TieBreak tieBreak;
  private final int[] ranks;
  private final int[] byRank;
  private final List<Coordinate> coordinates;
  private final Cells cells;
  private int refusals;
  private long readTo;

  private ClassIndex(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    super(cluster, plan);
    int size = cluster.nodes().size();
    possible = new BitSet(size);
    local = ofCell.length > 0 ? null : new LocalNodes(possible, nodeTest);
    fixed = new long[size];
    this.tieBreak = tieBreak;
    ranks = tieBreak.ranks();
    byRank = tieBreak.byRank();
    coordinates = coordinates();
    cells = new Cells(coordinates, size);
    build();
  }

  /** The index of a class, or null if it would be no quicker than asking every node. */
  static ClassIndex of(Cluster cluster, ClassPlan plan, TieBreak tieBreak) {
    if (!isPossible(plan)) {
      return null;
    }
    ClassIndex index = new ClassIndex(cluster, plan, tieBreak);
    boolean many = index.cells.count() > Math.max(FEW_CELLS, cluster.nodeCount() / 2);
    return many ? null : index;
  }

  @Override
  Cells cells() {
    return cells;
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
    scoreCells();
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

  /**
   * The best nodes of each cell now, at most so many of one: who knows all the cells of all nodes
   * that way can tell the best node without knowing the others.
   */
  List<BestOfCell> bestOfEach(int most) {
    catchUp();
    List<BestOfCell> all = new ArrayList<>(cells.count());
    for (int i = 0; i < cells.count(); i++) {
      Cell cell = cells.get(i);
      BestOfCell.Builder best =
          new BestOfCell.Builder(
              signature(nodeOf(cell.largest())), cell.size(), Math.min(most, cell.size()));
      cell.descend(
          key -> {
            int node = nodeOf(key);
            return best.add(node, (int) (key >> RANK_BITS), tieBreak.hash(node));
          });
      all.add(best.build());
    }
    return all;
  }

  private long signature(int node) {
    long signature = 0;
    for (Coordinate coordinate : coordinates) {
      signature = BestOfCell.mix(signature, coordinate.everywhere(node));
    }
    return signature;
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
    return possible.get(node) && hasRoom(node);
  }

  @Override
  int nodeOf(long key) {
    return byRank[(int) (LOW - (key & LOW))];
  }

  private long key(int node) {
    return (score(node, fixed[node]) << RANK_BITS) | (LOW - ranks[node]);
  }

  private void build() {
    Filter[] still = filters(Scope.NODE);
    int[] nodes = new int[fixed.length];
    int count = 0;
    for (int node = 0; node < fixed.length; node++) {
      if (cluster.nodes().node(node) == null || !passes(still, node)) {
        continue;
      }
      possible.set(node);
      nodes[count++] = node;
      fixed[node] = fixedScore(node);
    }
    cells.locate(coordinates, nodes, count);
    refill();
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
