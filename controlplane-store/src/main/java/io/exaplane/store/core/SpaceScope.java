// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import java.util.function.LongSupplier;

/**
 * One of the limits of a store, and what counts for it: its records, its index, what
 * kube-apiservers load, the keys with a prefix that has a quota. By the writer.
 *
 * @param name as operators know it
 * @param usedBytes now
 * @param replacedBytes of what became history so far; null if history does not count
 * @param freedBytes of what was freed of it so far; null if history does not count
 * @param limitBytes above it nothing is taken that grows
 * @param reserveBytes above that, for what doesn't
 */
public record SpaceScope(
    String name,
    LongSupplier usedBytes,
    LongSupplier replacedBytes,
    LongSupplier freedBytes,
    long limitBytes,
    long reserveBytes) {

  public long used() {
    return usedBytes.getAsLong();
  }

  /** One for which only the newest versions count, so that compaction gains nothing. */
  static SpaceScope ofNewest(
      String name, LongSupplier usedBytes, long limitBytes, long reserveBytes) {
    return new SpaceScope(name, usedBytes, null, null, limitBytes, reserveBytes);
  }

  /** Whether versions count that are kept after they were replaced. */
  public boolean countsHistory() {
    return replacedBytes != null;
  }

  /** What is kept of history. */
  public long history() {
    return replacedBytes.getAsLong() - freedBytes.getAsLong();
  }

  public boolean isFull() {
    return used() >= limitBytes;
  }

  /** Bytes of the reserve that are taken. */
  public long reserveUsed() {
    return Math.max(0, used() - limitBytes);
  }
}
