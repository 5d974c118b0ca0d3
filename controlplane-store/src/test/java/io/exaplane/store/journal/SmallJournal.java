// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.lease.Leases;
import java.io.IOException;
import java.util.Random;

/** A journal that ends segments and takes snapshots after few writes. */
public final class SmallJournal {
  private static final Journal.Limits SMALL = new Journal.Limits(4_000, 2_000);

  private SmallJournal() {}

  /** Opens it, as {@link Journal#open} does. */
  public static Journal open(
      SimulatedStorage storage,
      long revisionFloor,
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins)
      throws IOException {
    return Journal.open(
        storage, revisionFloor, keyspace, leases, pins, SMALL, new Random(1)::nextLong);
  }
}
