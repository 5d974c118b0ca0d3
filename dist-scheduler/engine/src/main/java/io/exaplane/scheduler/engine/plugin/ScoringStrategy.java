// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import java.util.List;

/**
 * What makes a node's free resources good for a pod.
 *
 * @param resources which ones count, and how much
 * @param shape of {@link Type#REQUESTED_TO_CAPACITY_RATIO}: scores by utilisation, ascending; empty
 *     for the others
 */
public record ScoringStrategy(Type type, List<Weighted> resources, List<Point> shape) {
  private static final long FULL = 100;

  /** The strategies of kube-scheduler. */
  public enum Type {
    LEAST_ALLOCATED,
    MOST_ALLOCATED,
    REQUESTED_TO_CAPACITY_RATIO
  }

  /** A resource and its weight. */
  public record Weighted(String resource, long weight) {}

  /**
   * A point of the shape.
   *
   * @param utilization in percent
   * @param score 0 to 100
   */
  public record Point(long utilization, long score) {}

  /** A score by how much of something is taken, in percent, with this shape. */
  static long onShape(List<Point> shape, long requested, long capacity) {
    return new ScoringStrategy(Type.REQUESTED_TO_CAPACITY_RATIO, List.of(), shape)
        .onShape(capacity == 0 || requested > capacity ? FULL : requested * FULL / capacity);
  }

  /** The default of kube-scheduler. */
  public static ScoringStrategy defaults() {
    return new ScoringStrategy(
        Type.LEAST_ALLOCATED,
        List.of(new Weighted("cpu", 1), new Weighted("memory", 1)),
        List.of());
  }

  /**
   * The score of a node. Source:
   * pkg/scheduler/framework/plugins/noderesources/{least_allocated,most_allocated,requested_to_capacity_ratio}.go.
   *
   * @param requested by resource, what is taken with the pod
   * @param allocatable by resource, in the same unit; 0 for what does not count
   */
  long score(long[] requested, long[] allocatable) {
    long sum = 0;
    long weights = 0;
    for (int i = 0; i < requested.length; i++) {
      if (allocatable[i] == 0) {
        continue;
      }
      long score = score(requested[i], allocatable[i]);
      if (type == Type.REQUESTED_TO_CAPACITY_RATIO && score <= 0) {
        continue;
      }
      long weight = resources.get(i).weight();
      sum += score * weight;
      weights += weight;
    }
    if (weights == 0) {
      return 0;
    }
    return type == Type.REQUESTED_TO_CAPACITY_RATIO
        ? Math.round((double) sum / weights)
        : sum / weights;
  }

  private long score(long requested, long capacity) {
    return switch (type) {
      case LEAST_ALLOCATED ->
          requested > capacity ? 0 : (capacity - requested) * Scorer.MAX / capacity;
      case MOST_ALLOCATED -> Math.min(requested, capacity) * Scorer.MAX / capacity;
      case REQUESTED_TO_CAPACITY_RATIO ->
          onShape(requested > capacity ? FULL : requested * FULL / capacity);
    };
  }

  private long onShape(long utilization) {
    for (int i = 0; i < shape.size(); i++) {
      Point to = shape.get(i);
      if (utilization <= to.utilization()) {
        if (i == 0) {
          return to.score();
        }
        Point from = shape.get(i - 1);
        return from.score()
            + (to.score() - from.score())
                * (utilization - from.utilization())
                / (to.utilization() - from.utilization());
      }
    }
    return shape.getLast().score();
  }
}
