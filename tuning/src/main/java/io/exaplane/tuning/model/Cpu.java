// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * Cores that one kube-apiserver keeps busy. The constants are reference/tuning.md §3.7: known to a
 * factor of two, so the result is a range. Each kube-apiserver decodes every write, so that part
 * stays the same with more of them.
 */
public record Cpu(double cores) {
  private static final double CORES_PER_REQUEST = 0.5e-3;
  private static final double CORES_PER_EVENT = 30e-6;
  private static final double CORES_PER_HANDSHAKE = 1e-3;

  /**
   * For each write a second that a watch cache takes in. k8s-1m, only Leases renewed, 20,000 a
   * second at each of five: a load of 33 to 40, of which requests explain 12 (DESIGN.md).
   */
  private static final double CORES_PER_CACHED_WRITE = 150e-6;

  private static final double GARBAGE_COLLECTION = 1.2;

  static Cpu of(Load load, int replicas) {
    double reconnects = load.connections() * 0.2 * 0.001;
    double all =
        load.requestsPerSecond() * CORES_PER_REQUEST
            + load.eventsSentPerSecond() * CORES_PER_EVENT
            + reconnects * CORES_PER_HANDSHAKE;
    double each = load.cachedWritesPerSecond() * CORES_PER_CACHED_WRITE;
    return new Cpu(GARBAGE_COLLECTION * (all / Math.max(1, replicas - 1) + each));
  }

  public double low() {
    return cores / 2;
  }

  public double high() {
    return cores * 2;
  }
}
