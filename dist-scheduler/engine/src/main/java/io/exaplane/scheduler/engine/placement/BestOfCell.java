// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The best of the nodes that are alike in all that other nodes decide about them. Arrays go
 * together, the best node first; they are not to be changed. Of nodes that are not named, none is
 * better than the last that is.
 *
 * @param signature equal where nodes are alike, in whichever cluster they are
 * @param size how many nodes there are, those not named included
 * @param nodes numbers of those that are named
 * @param scores what they are worth, without what depends on other nodes
 * @param hashes by which ties are broken, the smaller first
 */
public record BestOfCell(long signature, int size, int[] nodes, int[] scores, long[] hashes) {
  private static final long MIX = 0xD1B54A32D192ED03L;

  /** How many nodes are not named. */
  public int unnamed() {
    return size - nodes.length;
  }

  static long mix(long signature, long coordinate) {
    long mixed = (signature ^ coordinate) * MIX;
    return mixed ^ (mixed >>> 32);
  }

  /** Names nodes one after another. */
  static final class Builder {
    private final long signature;
    private final int size;
    private final int[] nodes;
    private final int[] scores;
    private final long[] hashes;
    private int count;

    Builder(long signature, int size, int named) {
      this.signature = signature;
      this.size = size;
      nodes = new int[named];
      scores = new int[named];
      hashes = new long[named];
    }

    /** Returns whether there is room for another. */
    boolean add(int node, int score, long hash) {
      nodes[count] = node;
      scores[count] = score;
      hashes[count++] = hash;
      return count < nodes.length;
    }

    BestOfCell build() {
      return new BestOfCell(signature, size, nodes, scores, hashes);
    }
  }

  /**
   * Those of all parts of a cluster, cells that are alike taken together, at most so many nodes of
   * each. In whichever order and groups parts are taken together, the same comes out.
   */
  public static List<BestOfCell> merge(List<List<BestOfCell>> parts, int most) {
    Map<Long, List<BestOfCell>> alike = new LinkedHashMap<>();
    for (List<BestOfCell> part : parts) {
      for (BestOfCell cell : part) {
        alike.computeIfAbsent(cell.signature, s -> new ArrayList<>()).add(cell);
      }
    }
    return alike.values().stream().map(cells -> together(cells, most)).toList();
  }

  private static BestOfCell together(List<BestOfCell> cells, int most) {
    if (cells.size() == 1) {
      return cells.getFirst().first(most);
    }
    int[] at = new int[cells.size()];
    int size = cells.stream().mapToInt(BestOfCell::size).sum();
    int named = cells.stream().mapToInt(cell -> cell.nodes.length).sum();
    Builder best = new Builder(cells.getFirst().signature, size, Math.min(most, named));
    int next = next(cells, at);
    boolean room = best.nodes.length > 0;
    while (room) {
      BestOfCell from = cells.get(next);
      int place = at[next]++;
      room = best.add(from.nodes[place], from.scores[place], from.hashes[place]);
      // What a part did not name may be better than all that follow.
      room &= at[next] < from.nodes.length || from.unnamed() == 0;
      next = next(cells, at);
    }
    return best.build().first(best.count);
  }

  /** The part whose next node is the best; -1 if none has any. */
  private static int next(List<BestOfCell> cells, int[] at) {
    int best = -1;
    for (int i = 0; i < at.length; i++) {
      if (at[i] < cells.get(i).nodes.length && (best < 0 || isBetter(cells, at, i, best))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean isBetter(List<BestOfCell> cells, int[] at, int one, int other) {
    BestOfCell first = cells.get(one);
    BestOfCell second = cells.get(other);
    int order = Integer.compare(second.scores[at[other]], first.scores[at[one]]);
    order = order != 0 ? order : Long.compare(first.hashes[at[one]], second.hashes[at[other]]);
    return order < 0 || (order == 0 && first.nodes[at[one]] < second.nodes[at[other]]);
  }

  private BestOfCell first(int most) {
    return nodes.length <= most
        ? this
        : new BestOfCell(
            signature,
            size,
            Arrays.copyOf(nodes, most),
            Arrays.copyOf(scores, most),
            Arrays.copyOf(hashes, most));
  }
}
