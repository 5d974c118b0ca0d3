// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import java.util.OptionalDouble;

/**
 * How many renewals of node Leases a store has counted. Immutable.
 *
 * @param store UID of the StoreShard
 * @param writes of node Leases since the store began to count
 * @param countingMs since then, in milliseconds
 */
record LeaseCount(String store, long writes, long countingMs) {
  private static final long LEAST_MS = 50_000;

  /** Whether this count is of the same store without a restart, and long enough after another. */
  boolean follows(LeaseCount before) {
    return store.equals(before.store)
        && writes >= before.writes
        && countingMs - before.countingMs >= LEAST_MS;
  }

  /** Renewals a second between two counts; nothing if this one does not follow the other. */
  OptionalDouble since(LeaseCount before) {
    return follows(before)
        ? OptionalDouble.of(1_000.0 * (writes - before.writes) / (countingMs - before.countingMs))
        : OptionalDouble.empty();
  }
}
