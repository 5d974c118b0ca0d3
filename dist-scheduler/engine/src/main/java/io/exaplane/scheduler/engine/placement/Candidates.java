// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.ChangedNodes;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.plugin.Coordinate;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that others named as the best of all for a class of pods, out of all the nodes of a
 * cluster. What each is worth is worked out here: what was said about them only decides which are
 * looked at. As long as none but these nodes change, the best of all nodes is one of them, or
 * {@link Cycle#UNKNOWN}. For its cluster's thread; some hundred bytes a node that was named.
 */
public final class Candidates {
  private final ClassPlan plan;

  /** Null if they cannot tell. */
  private final Named named;

  private final long nominationsVersion;
  private long score;

  /** They cannot tell. */
  Candidates(ClassPlan plan) {
    this.plan = plan;
    named = null;
    nominationsVersion = 0;
  }

  /**
   * Takes what was said, of the cluster as it is now.
   *
   * @param cells of all nodes, with numbers of this cluster
   */
  Candidates(Cluster cluster, ClassPlan plan, TieBreak tieBreak, List<BestOfCell> cells) {
    this.plan = plan;
    named = new Named(cluster, plan, tieBreak, cells);
    nominationsVersion = cluster.nominationsVersion();
  }

  /**
   * The best node now.
   *
   * @return its number, -1 if no node does, or {@link Cycle#UNKNOWN} if nodes have to be named anew
   */
  public int best() {
    if (named == null
        || !named.isCurrent()
        || named.cluster.nominationsVersion() != nominationsVersion) {
      return Cycle.UNKNOWN;
    }
    int best = named.best();
    score = best < 0 || named.feasibleCount == 1 ? 0 : named.scores.bestTotal();
    return best;
  }

  /** The score of what {@link #best} found; 0 of the only feasible node. */
  public long score() {
    return score;
  }

  /** How many cells there are; 0 if that is not known. */
  public int cellCount() {
    return named == null ? 0 : named.cells().count();
  }

  /** Whether there is no use in asking before nodes or surroundings change. */
  public boolean isUntold() {
    return named == null && plan.isCurrent();
  }

  private static final class Named extends CellIndex {
    private final TieBreak tieBreak;
    private final int[] nodes;
    private final int[] byRank;
    private final int[] ranks;
    private final long[] fixed;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final Cells cells;
    private final List<Cell> partlyNamed = new ArrayList<>();
    private boolean consistent;
    private long readTo;

    Named(Cluster cluster, ClassPlan plan, TieBreak tieBreak, List<BestOfCell> said) {
      super(cluster, plan);
      this.tieBreak = tieBreak;
      int[] all = said.stream().flatMapToInt(cell -> Arrays.stream(cell.nodes())).toArray();
      boolean areThere = Arrays.stream(all).allMatch(this::isThere);
      consistent = areThere;
      nodes = areThere ? all : new int[0];
      Integer[] order = new Integer[nodes.length];
      Arrays.setAll(order, slot -> slot);
      tieBreak.refresh();
      Arrays.sort(order, (one, other) -> tieBreak.order(nodes[one], nodes[other]));
      byRank = new int[nodes.length];
      ranks = new int[nodes.length];
      for (int rank = 0; rank < order.length; rank++) {
        byRank[rank] = nodes[order[rank]];
        ranks[order[rank]] = rank;
      }
      fixed = new long[nodes.length];
      List<Coordinate> coordinates =
          coordinates().stream().map(each -> each.by(slot -> nodes[slot])).toList();
      cells = new Cells(coordinates, nodes.length);
      readTo = cluster.changes().end();
      int[] slotNumbers = new int[nodes.length];
      Arrays.setAll(slotNumbers, slot -> slot);
      cells.locate(coordinates, slotNumbers, slotNumbers.length);
      if (areThere) {
        take(said);
      }
    }

    private boolean isThere(int node) {
      return node >= 0 && node < cluster.nodes().size() && cluster.nodes().node(node) != null;
    }

    private void take(List<BestOfCell> said) {
      Filter[] still = filters(Scope.NODE);
      int slot = 0;
      for (BestOfCell cell : said) {
        for (int i = 0; i < cell.nodes().length; i++, slot++) {
          int node = nodes[slot];
          boolean known = slots.put(node, slot) == null && passes(still, node) && hasRoom(node);
          fixed[slot] = known ? fixedScore(node) : 0;
          // Who says something else knows another cluster, and may have left out what matters.
          consistent &= known && score(node, fixed[slot]) == cell.scores()[i];
          if (consistent) {
            cells.append(slot, key(slot));
          }
        }
        consistent &= cell.nodes().length > 0;
        if (consistent && cell.unnamed() > 0) {
          Cell here = cells.of(slot - 1);
          here.addUnnamed(cell.unnamed(), key(slot - 1));
          partlyNamed.add(here);
        }
      }
      cells.rebuild();
    }

    private long key(int slot) {
      return (score(nodes[slot], fixed[slot]) << RANK_BITS) | (LOW - ranks[slot]);
    }

    @Override
    Cells cells() {
      return cells;
    }

    @Override
    int nodeOf(long key) {
      return byRank[(int) (LOW - (key & LOW))];
    }

    /** Whether nothing changed but the nodes that were named. */
    boolean isCurrent() {
      ChangedNodes changes = cluster.changes();
      consistent &= plan.isCurrent() && changes.keeps(readTo);
      for (; consistent && readTo < changes.end(); readTo++) {
        Integer slot = slots.get(changes.at(readTo));
        consistent = slot != null;
        if (slot != null && hasRoom(nodes[slot])) {
          cells.set(slot, key(slot));
        } else if (slot != null) {
          cells.remove(slot);
        }
      }
      return consistent;
    }

    int best() {
      for (Cell cell : partlyNamed) {
        if (!cell.knowsBest()) {
          return Cycle.UNKNOWN;
        }
      }
      askCells();
      if (scores.isEmpty()) {
        return -1;
      }
      scoreCells();
      return scores.best(tieBreak);
    }
  }
}
