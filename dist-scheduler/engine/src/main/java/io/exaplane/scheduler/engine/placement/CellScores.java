// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.plugin.Crowd;
import io.exaplane.scheduler.engine.plugin.Extrema;
import io.exaplane.scheduler.engine.plugin.Scope;
import io.exaplane.scheduler.engine.plugin.Scorer;
import java.util.Arrays;

/** The best node of each cell that does, and what its cell adds to its score. One thread. */
final class CellScores {
  private int[] nodes = new int[16];
  private int[] alike = new int[16];
  private long[] totals = new long[16];
  private long[] scores = new long[16];
  private int count;
  private int best;

  void clear() {
    count = 0;
  }

  /**
   * Takes in a cell.
   *
   * @param node its best
   * @param nodesInCell how many do
   * @param score of that node, without what depends on cells
   */
  void add(int node, int nodesInCell, long score) {
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * count);
      alike = Arrays.copyOf(alike, 2 * count);
      totals = Arrays.copyOf(totals, 2 * count);
      scores = new long[2 * count];
    }
    nodes[count] = node;
    alike[count] = nodesInCell;
    totals[count++] = score;
  }

  /** Takes in the nodes that do, each for itself, with what does not depend on other nodes. */
  void addAll(Judgement judgement, ClassPlan plan) {
    Scorer[] scorers = plan.scorers(scope -> scope != Scope.CLUSTER);
    int[] weights = plan.weights(scope -> scope != Scope.CLUSTER);
    for (int i = 0; i < judgement.feasibleCount(); i++) {
      long total = 0;
      for (int s = 0; s < scorers.length; s++) {
        total += weights[s] * scorers[s].score(judgement.feasible(i));
      }
      add(judgement.feasible(i), 1, total);
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** What of these nodes a scorer has to know of all feasible ones. */
  Crowd crowd(Scorer scorer) {
    return scorer.crowd(nodes, alike, count);
  }

  /** Their scores by a scorer that is prepared, before they are normalised. */
  long[] score(Scorer scorer) {
    long[] raw = new long[count];
    for (int i = 0; i < count; i++) {
      raw[i] = scorer.score(nodes[i]);
    }
    return raw;
  }

  Extrema extrema(Scorer scorer, long[] raw) {
    return scorer.extrema(nodes, raw, count);
  }

  /** Adds what a plugin gives, with these extrema of all feasible nodes. */
  void add(Scorer scorer, int weight, long[] raw, Extrema of) {
    scorer.normalize(nodes, raw, count, of);
    for (int i = 0; i < count; i++) {
      totals[i] += weight * raw[i];
    }
  }

  /** Adds what a plugin gives. */
  void add(Scorer scorer, int weight) {
    if (!scorer.prepare(nodes, alike, count)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      scores[i] = scorer.score(nodes[i]);
    }
    scorer.normalize(nodes, scores, count);
    for (int i = 0; i < count; i++) {
      totals[i] += weight * scores[i];
    }
  }

  /** Finds the best node; of several the one with the lowest rank. */
  int best(int[] ranks) {
    best = 0;
    for (int i = 1; i < count; i++) {
      if (totals[i] > totals[best]
          || (totals[i] == totals[best] && ranks[nodes[i]] < ranks[nodes[best]])) {
        best = i;
      }
    }
    return nodes[best];
  }

  /** Finds the best node; of several the one that wins the tie. */
  int best(TieBreak tieBreak) {
    best = 0;
    for (int i = 1; i < count; i++) {
      if (totals[i] > totals[best]
          || (totals[i] == totals[best] && tieBreak.prefers(nodes[i], nodes[best]))) {
        best = i;
      }
    }
    return nodes[best];
  }

  /** The score of the node that was found last. */
  long bestTotal() {
    return totals[best];
  }
}
