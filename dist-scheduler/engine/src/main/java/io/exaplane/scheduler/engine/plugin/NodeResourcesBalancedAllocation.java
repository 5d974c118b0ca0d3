// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Version;
import java.util.List;

/**
 * Prefers nodes whose resources are used evenly. Up to 1.35 the score is how even they are with the
 * pod; from 1.36 on, how much more even they become.
 */
public record NodeResourcesBalancedAllocation(
    List<ScoringStrategy.Weighted> resources, Version version) implements Plugin {
  private static final String NAME = "NodeResourcesBalancedAllocation";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    ScoredResources scored =
        new ScoredResources(
            cluster, resources, pods.spec().requests().balanceScore(), false, version);
    if (scored.wantsNothing()) {
      return null;
    }
    boolean improvement = version.atLeast(Version.V1_36);
    return new Scorer(NAME) {
      @Override
      public Scope scope() {
        return Scope.PODS_OF_NODE;
      }

      @Override
      public long score(int node) {
        scored.look(node);
        long with = evenness(scored.requestedWithPod, scored.allocatable);
        return improvement
            ? MAX / 2 + (MAX / 2 + with - evenness(scored.requested, scored.allocatable)) / 2
            : with;
      }
    };
  }

  /**
   * Source: pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go,
   * balancedResourceScore.
   */
  static long evenness(long[] requested, long[] allocatable) {
    int count = 0;
    double first = 0;
    double second = 0;
    double total = 0;
    for (int i = 0; i < requested.length; i++) {
      if (allocatable[i] != 0) {
        double fraction = fraction(requested[i], allocatable[i]);
        total += fraction;
        if (count == 0) {
          first = fraction;
        } else {
          second = fraction;
        }
        count++;
      }
    }
    double deviation = 0;
    if (count == 2) {
      deviation = Math.abs((first - second) / 2);
    } else if (count > 2) {
      double mean = total / count;
      double squares = 0;
      for (int i = 0; i < requested.length; i++) {
        if (allocatable[i] != 0) {
          double fraction = fraction(requested[i], allocatable[i]);
          squares += (fraction - mean) * (fraction - mean);
        }
      }
      deviation = Math.sqrt(squares / count);
    }
    return (long) ((1 - deviation) * Scorer.MAX);
  }

  private static double fraction(long requested, long allocatable) {
    return Math.min(1, (double) requested / allocatable);
  }
}
