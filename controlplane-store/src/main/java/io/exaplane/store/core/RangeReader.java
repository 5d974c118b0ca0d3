// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.index.KeyCursor;
import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.index.KeyTree;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import java.lang.foreign.MemorySegment;

/**
 * Reads keys in order at a revision. Reusable, for one thread, which must be inside the keyspace's
 * epoch (or be the writer) from taking the view to its last look at a record.
 */
public final class RangeReader {
  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final KeyCursor cursor;
  private long revision;
  private boolean treeIsAtRevision;
  private HistoryStarts starts;
  private long single;
  private boolean isSingle;

  public RangeReader(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory;
    this.cursor = keyspace.tree.cursor();
  }

  /**
   * The revision that a request means.
   *
   * @param asked 0 or less for the newest
   * @throws StoreException if it was compacted or is not there yet
   */
  public static long resolve(View view, long asked) {
    if (asked > view.revision()) {
      throw StoreException.FUTURE_REVISION;
    }
    long revision = asked <= 0 ? view.revision() : asked;
    if (revision < view.compactedRevision()) {
      throw StoreException.COMPACTED;
    }
    return revision;
  }

  /**
   * The revision that a request means.
   *
   * @throws StoreException if it is not there yet or was compacted, be it of keys with a history
   *     window of their own alone
   */
  public static long resolve(View view, RangeRequest request) {
    long revision = resolve(view, request.revision);
    if (view.starts().hide(revision, request)) {
      throw StoreException.COMPACTED;
    }
    return revision;
  }

  /**
   * Starts to read what keys were before the oldest revision that can be asked for, each by its own
   * history window.
   *
   * @param oldest the oldest of keys without one
   */
  public void openBefore(View view, HistoryStarts starts, KeyRange range, long oldest) {
    open(view, range, oldest - 1);
    treeIsAtRevision = false;
    this.starts = starts;
  }

  /** Starts to read a range at a revision that {@link #resolve} gave. */
  public void open(View view, KeyRange range, long atRevision) {
    starts = null;
    revision = atRevision;
    treeIsAtRevision = atRevision == view.revision();
    isSingle = range.isSingle();
    if (isSingle) {
      single = find(range.start(), 0, range.start().length, atRevision);
    } else {
      cursor.seek(view.tree(), range.start(), 0, range.start().length, range.end());
    }
  }

  /** Address of the next key's version at the revision, 0 when there is none left. */
  public long next() {
    if (isSingle) {
      long record = single;
      single = 0;
      return record;
    }
    for (int slot = cursor.next(); slot != KeyCursor.END; slot = cursor.next()) {
      if (!treeIsAtRevision || cursor.isLive()) {
        long record = versionAt(keyspace.slots.newest(slot), revisionOf(slot));
        if (record != 0) {
          return record;
        }
      }
    }
    return 0;
  }

  private long revisionOf(int slot) {
    if (starts == null) {
      return revision;
    }
    int window = keyspace.space().classes().get(keyspace.slots.classOf(slot)).window();
    return Math.max(revision, starts.of(window) - 1);
  }

  /** Lets go of the view. */
  public void close() {
    cursor.close();
  }

  /** Address of a key's version at a revision; 0 if the key did not exist then. */
  public long find(byte[] key, int offset, int length, long atRevision) {
    int slot = keyspace.table.find(key, offset, length);
    return slot == KeyTable.NOT_FOUND ? 0 : versionAt(keyspace.slots.newest(slot), atRevision);
  }

  /** Address of the version that a slot's key had at a revision; 0 if it did not exist then. */
  public long versionOfSlot(int slot, long atRevision) {
    return versionAt(keyspace.slots.newest(slot), atRevision);
  }

  private long versionAt(long newest, long atRevision) {
    long record = newest;
    while (record != 0 && Records.modRevision(memory, record) > atRevision) {
      record = Records.previous(memory, record);
    }
    return record == 0 || Records.isTombstone(memory, record) ? 0 : record;
  }

  /** Number of keys in a range at a revision that {@link #resolve} gave. */
  public long count(View view, KeyRange range, long atRevision) {
    if (range.isEmpty()) {
      return 0;
    }
    if (range.isSingle()) {
      return find(range.start(), 0, range.start().length, atRevision) == 0 ? 0 : 1;
    }
    long now = countNow(view, range);
    if (atRevision == view.revision()) {
      return now;
    }
    long since = firstAfter(keyspace.lives, view.firstLife(), view.lives(), atRevision);
    // Undoing what happened since is cheaper unless that is more than there is to walk over.
    return view.lives() - since <= now
        ? now - gained(view, range, since)
        : countByWalking(view, range, atRevision);
  }

  private long countNow(View view, KeyRange range) {
    KeyTree tree = keyspace.tree;
    long above =
        range.end() == null
            ? view.tree().live()
            : tree.rank(view.tree(), range.end(), 0, range.end().length);
    return above - tree.rank(view.tree(), range.start(), 0, range.start().length);
  }

  /** Creations less deletions in the range, from a position of the log of lives on. */
  private long gained(View view, KeyRange range, long since) {
    long gained = 0;
    for (long position = since; position < view.lives(); position++) {
      long record = keyspace.lives.get(position);
      if (!AddressLog.isForgotten(record) && range.contains(memory, record)) {
        gained += Records.isTombstone(memory, record) ? -1 : 1;
      }
    }
    return gained;
  }

  private long countByWalking(View view, KeyRange range, long atRevision) {
    open(view, range, atRevision);
    long count = 0;
    while (next() != 0) {
      count++;
    }
    return count;
  }

  /** Position of the first record of a log whose revision is above the given one. */
  private long firstAfter(AddressLog log, long from, long to, long after) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (AddressLog.revision(memory, log.get(middle)) <= after) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Position in the view's events of the first one of the given revision or a later one. */
  public long firstEventFrom(View view, long fromRevision) {
    return firstAfter(keyspace.events, view.firstEvent(), view.events(), fromRevision - 1);
  }

  /**
   * Address of the record that an event of a view is about, or what {@link AddressLog} leaves of
   * one that is older than the history window of its key.
   */
  public long event(long position) {
    return keyspace.events.get(position);
  }

  /** Whether an event can still be asked for, of a view with these starts. */
  public boolean isKept(HistoryStarts since, long event) {
    return !AddressLog.isForgotten(event)
        && (since.newest() == HistoryStarts.NOT_YET
            || Records.modRevision(memory, event)
                >= since.of(keyspace.space().classOf(event).window()));
  }

  /**
   * Address of the version that an event's key had at the revision before the event's; 0 if it did
   * not exist then.
   */
  public long before(long event) {
    return versionAt(Records.previous(memory, event), Records.modRevision(memory, event) - 1);
  }
}
