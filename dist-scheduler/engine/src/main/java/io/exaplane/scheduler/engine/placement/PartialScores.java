// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.plugin.Crowd;
import io.exaplane.scheduler.engine.plugin.Extrema;
import io.exaplane.scheduler.engine.plugin.Scorer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The feasible nodes that a cluster has, scored together with those that it does not have: what
 * matters of all of them to each is gathered, and told, in two steps. To be finished before the
 * next pod is asked about. For its cluster's thread.
 */
public final class PartialScores {
  private final CellScores nodes;
  private final int feasibleCount;
  private final Scorer[] scorers;
  private final int[] weights;
  private final long[][] raw;

  PartialScores(CellScores nodes, int feasibleCount, Scorer[] scorers, int[] weights) {
    this.nodes = nodes;
    this.feasibleCount = feasibleCount;
    this.scorers = scorers;
    this.weights = weights;
    raw = new long[scorers.length][];
  }

  /** How many nodes do; 2 may stand for more. */
  public int feasibleCount() {
    return feasibleCount;
  }

  /** By plugin, what of these nodes matters to all. */
  public Map<String, Crowd> crowds() {
    Map<String, Crowd> crowds = new LinkedHashMap<>();
    for (Scorer scorer : scorers) {
      crowds.put(scorer.plugin(), nodes.crowd(scorer));
    }
    return crowds;
  }

  /**
   * Scores them.
   *
   * @param all what matters of all nodes, wherever they are
   * @return by plugin, their highest and lowest scores; none of plugins that do not score the pod
   */
  public Map<String, Extrema> score(Map<String, Crowd> all) {
    Map<String, Extrema> extrema = new LinkedHashMap<>();
    for (int i = 0; i < scorers.length; i++) {
      Scorer scorer = scorers[i];
      if (scorer.prepare(all.get(scorer.plugin()))) {
        raw[i] = nodes.score(scorer);
        extrema.put(scorer.plugin(), nodes.extrema(scorer, raw[i]));
      }
    }
    return extrema;
  }

  /**
   * The best of them, or -1.
   *
   * @param all the highest and lowest scores of all nodes, wherever they are
   */
  int best(Map<String, Extrema> all, int[] ranks) {
    for (int i = 0; i < scorers.length; i++) {
      if (raw[i] != null) {
        nodes.add(scorers[i], weights[i], raw[i], all.get(scorers[i].plugin()));
      }
    }
    return nodes.isEmpty() ? -1 : nodes.best(ranks);
  }

  /** The score of what {@link #best} found. */
  long score() {
    return nodes.bestTotal();
  }
}
