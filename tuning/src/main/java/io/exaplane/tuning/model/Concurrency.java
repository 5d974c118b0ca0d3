// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.Optional;

/**
 * Requests that one kube-apiserver executes at a time. With API Priority and Fairness only the sum
 * of the two flags counts (pkg/server/config.go).
 */
public record Concurrency(int reading, int mutating) {
  private static final int DEFAULT_READING = 400;
  private static final int DEFAULT_MUTATING = 200;

  /** Where clusters of a size start from: OpenShift, KubeEdge and k8s-1m run with these. */
  static Concurrency usual(double nodes) {
    if (nodes < 1_000) {
      return new Concurrency(DEFAULT_READING, DEFAULT_MUTATING);
    }
    if (nodes < 3_000) {
      return new Concurrency(1_500, 500);
    }
    return new Concurrency(nodes < 300_000 ? 3_000 : 5_000, 1_000);
  }

  /**
   * Not more than a quarter of the memory carries and 160 requests a core, and never less than the
   * default.
   */
  Concurrency within(double memoryLimit, double cores) {
    double most = Math.min(mostFor(memoryLimit), 160 * cores);
    if (total() <= most) {
      return this;
    }
    double share = most / total();
    int reading = (int) (this.reading * share) / 50 * 50;
    int mutating = (int) (this.mutating * share) / 50 * 50;
    return new Concurrency(
        Math.max(DEFAULT_READING, reading), Math.max(DEFAULT_MUTATING, mutating));
  }

  /** Requests that a quarter of a kube-apiserver's memory carries. */
  public static double mostFor(double memoryLimit) {
    return 0.25 * memoryLimit / Memory.REQUEST_BYTES;
  }

  /** The same but for what somebody chose otherwise. */
  Concurrency or(Optional<Double> reading, Optional<Double> mutating) {
    return new Concurrency(
        reading.map(Double::intValue).orElse(this.reading),
        mutating.map(Double::intValue).orElse(this.mutating));
  }

  /** Seats that the priority levels share. */
  public int total() {
    return reading + mutating;
  }
}
