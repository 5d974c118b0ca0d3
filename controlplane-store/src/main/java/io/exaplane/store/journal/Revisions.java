// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.memory.Records;

/** A store's changes, revision by revision, by positions of events. Used by the writer. */
final class Revisions {
  private final Keyspace keyspace;
  private final Durability strongest;

  Revisions(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.strongest = keyspace.space().classes().strongest();
  }

  /** Position behind the revision that begins at a position; at most the end. */
  long end(long from, long end) {
    long revision = Records.modRevision(keyspace.memory(), keyspace.event(from));
    long at = from + 1;
    while (at < end && Records.modRevision(keyspace.memory(), keyspace.event(at)) == revision) {
      at++;
    }
    return at;
  }

  /** What the strongest key of a revision asks for: all of it that is written survives as much. */
  Durability durability(long from, long end) {
    Durability found = Durability.MEMORY;
    for (long at = from; at < end && found != strongest; at++) {
      Durability asked = keyspace.space().classOf(keyspace.event(at)).rule().durability();
      found = asked.compareTo(found) < 0 ? asked : found;
    }
    return found;
  }

  /**
   * Writes a revision down, without its keys that are in memory only: a start would bring back some
   * that were deleted since.
   */
  void write(long from, long end, Entries entries) {
    int expected = 0;
    for (long at = from; at < end; at++) {
      long event = keyspace.event(at);
      if (!keyspace.space().isInMemoryOnly(event)) {
        int sub = Records.sub(keyspace.memory(), event);
        if (sub != expected) {
          entries.sub(sub);
        }
        entries.version(keyspace.memory(), event);
        expected = sub + 1;
      }
    }
  }
}
