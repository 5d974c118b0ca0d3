// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.Attempts.Target;
import java.io.IOException;
import java.util.Random;
import java.util.function.Supplier;

/** A journal that ends segments and takes snapshots after few writes. */
public final class SmallJournal {
  private static final Journal.Limits SMALL = new Journal.Limits(4_000, 2_000);

  private SmallJournal() {}

  /** A store that was opened. */
  public record Opened(
      Region region, Leases leases, Keyspace keyspace, RevisionPins pins, Journal journal) {}

  /**
   * Opens it, as {@link Journal#open} does.
   *
   * @param targets makes an empty store
   */
  public static Opened open(SimulatedStorage storage, long revisionFloor, Supplier<Target> targets)
      throws IOException {
    return open(storage, new SeenRevisions(revisionFloor, 0), targets);
  }

  static Opened open(SimulatedStorage storage, SeenRevisions seen, Supplier<Target> targets)
      throws IOException {
    return Attempts.start(
        targets,
        (target, attempts) -> {
          RevisionPins pins = new RevisionPins();
          Journal journal =
              Journal.open(
                  storage,
                  seen,
                  target.keyspace(),
                  target.leases(),
                  pins,
                  attempts,
                  SMALL,
                  new Random(1)::nextLong);
          return new Opened(target.region(), target.leases(), target.keyspace(), pins, journal);
        });
  }
}
