// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.Arrays;
import java.util.List;

/**
 * Prefers nodes by the pods in their domains. Source:
 * pkg/scheduler/framework/plugins/interpodaffinity/scoring.go.
 */
final class AffinityScorer extends Scorer {
  private final DomainSums[] sums;
  private final int[] weights;

  /**
   * For one class of pods.
   *
   * @param sums the pods that count
   * @param weights what each of them is worth, below zero for anti-affinity
   */
  AffinityScorer(List<DomainSums> sums, int[] weights) {
    super(InterPodAffinity.NAME);
    this.sums = sums.toArray(DomainSums[]::new);
    this.weights = weights;
  }

  @Override
  public boolean prepare(Crowd all) {
    for (DomainSums one : sums) {
      if (one.total() > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long score(int node) {
    long score = 0;
    for (int i = 0; i < weights.length; i++) {
      int domain = sums[i].topology().domain(node);
      if (domain != Topology.NONE) {
        score += (long) weights[i] * sums[i].of(domain);
      }
    }
    return score;
  }

  @Override
  public List<Coordinate> coordinates() {
    return Arrays.stream(sums).map(Coordinate::of).toList();
  }

  @Override
  public Extrema extrema(int[] feasible, long[] scores, int count) {
    return Extrema.of(scores, count);
  }

  @Override
  public void normalize(int[] feasible, long[] scores, int count, Extrema of) {
    long min = of.min();
    long max = of.max();
    for (int i = 0; i < count; i++) {
      scores[i] = max > min ? (long) (MAX * ((double) (scores[i] - min) / (max - min))) : 0;
    }
  }

  @Override
  public List<DomainSums> sums() {
    return List.of(sums);
  }

  @Override
  public void close() {
    for (DomainSums one : sums) {
      one.close();
    }
  }
}
