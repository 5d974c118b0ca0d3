// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

/**
 * What a store tells of itself, so coarse that a store at work is the same for long: each change is
 * a write of the status.
 *
 * @param revisionFloor no revision above it will be shown before it is raised
 * @param stalled whether the journal can't be written
 */
public record StoreUsage(long revisionFloor, boolean stalled, Space space) {
  /** How much of the quota is left. */
  public enum Space {
    FREE,
    SCARCE,
    EXCEEDED
  }

  /** At 100,000 writes a second it is raised each minute, long before it is reached. */
  private static final long STEP = 5_000_000;

  /** The floor of a store that has just begun to serve. */
  public static final long FIRST_FLOOR = 2 * STEP;

  private static final double SCARCE_SHARE = 0.85;

  /** From what the store measures. */
  static StoreUsage of(
      double revision, double stalled, double exceeded, double bytes, double quotaBytes) {
    Space space =
        exceeded > 0
            ? Space.EXCEEDED
            : bytes > quotaBytes * SCARCE_SHARE ? Space.SCARCE : Space.FREE;
    return new StoreUsage(((long) revision / STEP + 2) * STEP, stalled > 0, space);
  }
}
