// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.util.List;

/**
 * A scorer whose scores depend on the node alone and are normalised by the best of them. Source:
 * pkg/scheduler/framework/plugins/helper/normalize_score.go.
 */
public abstract class ScorerByMax extends Scorer {
  private final boolean reverse;

  /**
   * For one class of pods.
   *
   * @param reverse whether less is better
   */
  protected ScorerByMax(String plugin, boolean reverse) {
    super(plugin);
    this.reverse = reverse;
  }

  /** The score that a node has if this is the highest of all feasible ones. */
  private long normalized(long score, long max) {
    long scaled = max == 0 ? score : MAX * score / max;
    return reverse ? MAX - scaled : scaled;
  }

  @Override
  public final List<Coordinate> coordinates() {
    return List.of(Coordinate.still(node -> Math.toIntExact(score(node))));
  }

  @Override
  public final Extrema extrema(int[] feasible, long[] scores, int count) {
    return Extrema.of(scores, count);
  }

  @Override
  public final void normalize(int[] feasible, long[] scores, int count, Extrema of) {
    long max = Math.max(0, of.max());
    for (int i = 0; i < count; i++) {
      scores[i] = normalized(scores[i], max);
    }
  }
}
