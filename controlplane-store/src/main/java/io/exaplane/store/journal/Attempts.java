// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The attempts of one start. What was read of a snapshot before it showed to be damaged is in the
 * store by then: a start without the snapshot begins with another empty store. One thread.
 */
public final class Attempts {
  /** An empty store. */
  public record Target(Region region, Leases leases, Keyspace keyspace) {}

  /** Brings an empty store to where its files left it. */
  public interface Attempt<T> {
    T start(Target target, Attempts attempts) throws IOException;
  }

  private final Map<String, CorruptJournalException> leftOut = new LinkedHashMap<>();

  private Attempts() {}

  /**
   * Tries until a start needs no damaged snapshot, or there is no other.
   *
   * @param targets makes an empty store; its region is closed if the attempt fails
   */
  public static <T> T start(Supplier<Target> targets, Attempt<T> attempt) throws IOException {
    Attempts attempts = new Attempts();
    while (true) {
      Target target = targets.get();
      boolean isStarted = false;
      try {
        T started = attempt.start(target, attempts);
        isStarted = true;
        return started;
      } catch (DamagedSnapshotException e) {
        attempts.leftOut.put(e.snapshot(), e.damage());
      } finally {
        if (!isStarted) {
          target.region().close();
        }
      }
    }
  }

  /** Names of the damaged snapshots. */
  Set<String> leftOut() {
    return leftOut.keySet();
  }

  /** What was found in them. */
  Iterable<CorruptJournalException> damages() {
    return leftOut.values();
  }

  /** Whether none was found to be damaged. */
  boolean isFirst() {
    return leftOut.isEmpty();
  }
}
