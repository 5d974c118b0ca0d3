// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import java.util.Map;

/**
 * Brings an empty keyspace to where it was before a restart: first what keys were at the oldest
 * revision, then every change since, in order. Used by the writer before it shows anything.
 */
public final class Recovery {
  private static final int CLEANING_STEPS = 1 << 16;

  private final Keyspace keyspace;
  private int sub;

  public Recovery(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /**
   * Takes in a version as it was before a restart, in the order of revisions.
   *
   * @param mod its revision; the revisions in between were used by nobody
   */
  public void put(byte[] key, long mod, byte[] value, int offset, int length, long lease) {
    openRevision(mod);
    keyspace.put(key, 0, key.length, value, offset, length, lease);
  }

  /**
   * Takes in a deletion as it was before a restart, in the order of revisions.
   *
   * @param mayBeGone whether what it deleted may have been lost
   */
  public void tombstone(byte[] key, long mod, boolean mayBeGone) {
    openRevision(mod);
    long live = keyspace.newest(key, 0, key.length);
    if (live == 0 && mayBeGone) {
      return;
    }
    if (live == 0) {
      throw new IllegalStateException(
          "revision %d deletes a key that does not exist".formatted(mod));
    }
    keyspace.delete(live);
  }

  /**
   * Takes in what a key was before the oldest revision that can be asked for; before all others and
   * in any order.
   *
   * @param sub its position among the changes of the revision
   */
  public void base(
      byte[] key,
      long create,
      long mod,
      int sub,
      long version,
      byte[] value,
      int offset,
      int length,
      long lease) {
    keyspace.addBase(key, create, mod, sub, version, value, offset, length, lease);
  }

  /**
   * The next version's position among the changes of its revision, if that is not the one after the
   * version's before: those in between are not kept.
   */
  public void sub(int at) {
    sub = at;
  }

  private void openRevision(long mod) {
    if (mod != keyspace.revision() + 1) {
      keyspace.commit();
    }
    if (mod <= keyspace.revision()) {
      throw new IllegalStateException(
          "revision %d comes after %d".formatted(mod, keyspace.revision()));
    }
    keyspace.revision = Math.max(keyspace.revision, mod - 1);
    keyspace.changes = Math.max(keyspace.changes, sub);
    sub = 0;
  }

  /**
   * Takes in from which revisions on keys have history, by the prefixes of their rules. If those
   * are others now, as much is taken for compacted of all keys.
   */
  public void historyStarts(Map<String, Long> byPrefix) {
    HistoryStarts restored = keyspace.starts.restored(byPrefix);
    if (restored == null) {
      byPrefix.values().forEach(this::compacted);
    } else {
      keyspace.starts = restored;
      letGo();
    }
  }

  /** Takes in that revisions below the given one were compacted before the restart. */
  public void compacted(long at) {
    keyspace.compactedRevision = Math.max(keyspace.compactedRevision, at);
    letGo();
  }

  /**
   * Lets go what nobody can ask for any more, as the store did before the restart: a long log, with
   * all that was replaced in its time, may be more than there is memory. Compactions and starts of
   * history stand between whole revisions.
   */
  private void letGo() {
    keyspace.commit();
    keyspace.publish();
    while (keyspace.cleaner().clean(CLEANING_STEPS, () -> Long.MAX_VALUE)) {
      // There is more, and nobody waits.
    }
  }

  /**
   * Takes in that of the keys that a start may lose writes of nobody may ask for revisions below
   * the newest one: some of their changes may be gone. Other keys have all of their history.
   */
  public void lostUpToNow() {
    keyspace.starts = keyspace.starts.afterLoss(keyspace.revision());
  }

  /**
   * Takes in that the store was at a revision, whether or not a version says so. So a store that
   * runs may also go on with a later one, between two revisions; it has to be compacted there.
   */
  public void revision(long at) {
    keyspace.commit();
    keyspace.revision = Math.max(keyspace.revision, at);
  }
}
