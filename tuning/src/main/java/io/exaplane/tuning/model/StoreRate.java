// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * Writes a second that one store sustains: of etcd what operators report, of Exaplane's store what
 * was measured, by the cores that the operator gives a store for so many nodes. Pure.
 */
public final class StoreRate {
  /** etcd on fast disks. */
  public static final double ETCD = 50_000;

  /**
   * Renewals of node Leases, which are in memory only: 16.6 µs of a core each, of which the writer
   * takes 3.8 (controlplane-store/DESIGN.md, Measured).
   */
  static final double OURS_PER_CORE = 60_000;

  /**
   * The store has one writer, and more cores help its connections alone: half of what that takes.
   */
  static final double OURS_AT_MOST = 120_000;

  private StoreRate() {}

  /** Cores of a store of the operator, by the largest number of nodes. */
  public static double cores(double nodes) {
    if (nodes <= 100) {
      return 0.25;
    }
    return nodes <= 1_000 ? 1 : nodes <= 10_000 ? 2 : nodes <= 100_000 ? 4 : 8;
  }

  /** That of a store of so many nodes. */
  static double of(double nodes, boolean isOurs) {
    return isOurs ? Math.min(OURS_AT_MOST, OURS_PER_CORE * cores(nodes)) : ETCD;
  }
}
