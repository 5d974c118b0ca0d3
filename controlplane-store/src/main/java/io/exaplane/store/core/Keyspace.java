// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.index.KeySlots;
import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.index.KeyTree;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.LeaseKeys;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.RangeRequest;
import java.lang.foreign.MemorySegment;

/**
 * Every key with all of its versions that may still be asked for: a multi-version store with etcd's
 * revisions. Does no I/O and knows no clock.
 *
 * <p>One thread, the writer, calls the methods that change something. What it applied is shown to
 * readers when it publishes. Any thread may take {@link #view()} and read it with a {@link
 * RangeReader}.
 */
public final class Keyspace {
  /** Revision of a store to which nothing was written. */
  public static final long FIRST_REVISION = 1;

  private static final long NEVER_COMPACTED = -1;

  final MemorySegment memory;
  final RecordLog records;
  final KeySlots slots;
  final KeyTable table;
  final KeyTree tree;
  final AddressLog events = new AddressLog();
  final AddressLog lives = new AddressLog();
  final EpochReclaimer reclaimer;
  private final LeaseKeys leaseKeys;
  private final SpaceAccount space;
  private final Cleaner cleaner;

  private volatile View view;
  // These are Recovery's, too.
  long revision = FIRST_REVISION;
  long compactedRevision = NEVER_COMPACTED;
  HistoryStarts starts;
  int changes;
  private long firstEvent;
  private long firstLife;

  /**
   * Makes an empty keyspace.
   *
   * @param region where versions are kept
   * @param leaseKeys told of keys that are attached to leases and detached
   * @param classes what is counted, limited and kept together
   * @param hashSeed any number; keys of an attacker who doesn't know it don't collide
   * @param maxReaders number of threads that may read
   */
  public Keyspace(
      Region region,
      LeaseKeys leaseKeys,
      KeyClasses classes,
      SpaceLimits limits,
      long hashSeed,
      int maxReaders) {
    reclaimer = new EpochReclaimer(maxReaders);
    records = new RecordLog(region, reclaimer, classes.windows());
    memory = records.memory();
    slots = new KeySlots();
    table = new KeyTable(memory, slots, hashSeed);
    tree = new KeyTree(memory, slots);
    space = new SpaceAccount(this, classes, limits);
    starts = HistoryStarts.none(classes);
    this.leaseKeys = leaseKeys;
    publish();
    cleaner = new Cleaner(this);
  }

  /** What readers may see. */
  public View view() {
    return view;
  }

  public MemorySegment memory() {
    return memory;
  }

  public RecordLog records() {
    return records;
  }

  /** The only one: another would count what is dead a second time. */
  public Cleaner cleaner() {
    return cleaner;
  }

  public EpochReclaimer reclaimer() {
    return reclaimer;
  }

  /** The newest revision, shown or not. */
  public long revision() {
    return revision;
  }

  public long compactedRevision() {
    return compactedRevision;
  }

  /** The revision at which the writer reads: with its own changes. */
  public long readRevision() {
    return changes == 0 ? revision : revision + 1;
  }

  /** Number of events so far; each has a position below. By the writer. */
  public long eventCount() {
    return events.length();
  }

  /** Number of events that a watch may still start from. By the writer. */
  public long keptEvents() {
    return events.length() - firstEvent;
  }

  /** Address of the record of an event. */
  public long event(long position) {
    return events.get(position);
  }

  /** What is applied so far, for the writer's own reads; invalid after the next change. */
  public View working() {
    return new View(
        readRevision(),
        compactedRevision,
        starts,
        tree.current(),
        firstEvent,
        events.length(),
        firstLife,
        lives.length());
  }

  /** What is kept, by class, and how much more may be. */
  public SpaceAccount space() {
    return space;
  }

  /** Address of the key's newest version if that is no tombstone, else 0. By the writer. */
  public long newest(byte[] key, int offset, int length) {
    int slot = table.find(key, offset, length);
    if (slot == KeyTable.NOT_FOUND) {
      return 0;
    }
    long record = slots.newest(slot);
    return Records.isTombstone(memory, record) ? 0 : record;
  }

  /**
   * Puts a value at the next revision.
   *
   * @param lease the lease that the key is attached to from now on, 0 for none; it must exist
   * @return address of the new version
   */
  public long put(
      byte[] key,
      int keyOffset,
      int keyBytes,
      byte[] value,
      int valueOffset,
      int valueBytes,
      long lease) {
    int slot = table.find(key, keyOffset, keyBytes);
    long before = slot == KeyTable.NOT_FOUND ? 0 : slots.newest(slot);
    boolean lived = before != 0 && !Records.isTombstone(memory, before);
    long next = revision + 1;
    short keyClass =
        slot == KeyTable.NOT_FOUND
            ? space.classes().of(key, keyOffset, keyBytes)
            : slots.classOf(slot);
    long record =
        records.appendPut(
            space.classes().get(keyClass).window(),
            slot == KeyTable.NOT_FOUND ? slots.next() : slot,
            before,
            changes,
            key,
            keyOffset,
            keyBytes,
            lived ? KeyValues.createRevision(memory, before) : next,
            next,
            lived ? KeyValues.version(memory, before) + 1 : 1,
            value,
            valueOffset,
            valueBytes,
            lease);
    link(record, slot, keyClass, lived, key, keyOffset, keyBytes);
    space.put(record, lived ? before : 0, value, valueOffset, valueBytes);
    note(record, !lived);
    moveToLease(record, lived ? KeyValues.lease(memory, before) : 0, lease);
    return record;
  }

  private void note(long record, boolean isLife) {
    events.append(record);
    if (isLife) {
      lives.append(record);
    }
    changes++;
  }

  private void link(
      long record,
      int slot,
      short keyClass,
      boolean lived,
      byte[] key,
      int keyOffset,
      int keyBytes) {
    if (slot == KeyTable.NOT_FOUND) {
      int taken = slots.take(record, keyClass);
      table.insert(key, keyOffset, keyBytes, taken);
      tree.insert(key, keyOffset, keyBytes, taken);
    } else {
      slots.newest(slot, record);
      if (!lived) {
        tree.setLive(key, keyOffset, keyBytes, true);
      }
    }
  }

  private void moveToLease(long record, long from, long to) {
    if (from != to) {
      int slot = Records.slot(memory, record);
      if (from != 0) {
        leaseKeys.detach(from, slot);
      }
      if (to != 0) {
        leaseKeys.attach(to, slot);
      }
    }
  }

  /**
   * Deletes the key of a live version at the next revision.
   *
   * @return address of the tombstone
   */
  public long delete(long live) {
    int slot = Records.slot(memory, live);
    byte[] key = Records.copyKey(memory, live);
    long record =
        records.appendTombstone(
            space.classOf(live).window(), slot, live, changes, key, revision + 1);
    slots.newest(slot, record);
    tree.setLive(key, 0, key.length, false);
    space.deleted(record, live);
    note(record, true);
    moveToLease(record, KeyValues.lease(memory, live), 0);
    return record;
  }

  /** Adds what a key was before all changes, for {@link Recovery}. */
  void addBase(
      byte[] key,
      long create,
      long mod,
      int sub,
      long version,
      byte[] value,
      int offset,
      int length,
      long lease) {
    short keyClass = space.classes().of(key, 0, key.length);
    long record =
        records.appendPut(
            space.classes().get(keyClass).window(),
            slots.next(),
            0,
            sub,
            key,
            0,
            key.length,
            create,
            mod,
            version,
            value,
            offset,
            length,
            lease);
    link(record, KeyTable.NOT_FOUND, keyClass, false, key, 0, key.length);
    space.put(record, 0, value, offset, length);
    moveToLease(record, 0, lease);
  }

  /** Positions of logs in use. By the writer. */
  long positions() {
    return keptEvents() + lives.length() - firstLife;
  }

  /** Address of the newest version that a slot has. */
  public long newestOfSlot(int slot) {
    return slots.newest(slot);
  }

  /**
   * Ends a revision. Nothing changes if there was no change.
   *
   * @return the revision that the store is at now
   */
  public long commit() {
    if (changes > 0) {
      revision++;
      changes = 0;
    }
    return revision;
  }

  /**
   * Declares that nobody may ask for revisions below the given one any more. Their memory comes
   * back by and by, see {@link Cleaner}.
   *
   * @throws StoreException if it was compacted before, or is in the future
   */
  public void compact(long at) {
    if (at <= compactedRevision) {
      throw StoreException.COMPACTED;
    }
    if (at > revision) {
      throw StoreException.FUTURE_REVISION;
    }
    compactedRevision = at;
  }

  /**
   * If there was nothing since the compacted revision, goes on by a revision without a change and
   * compacts below that: so also what the last changes replaced is let go.
   *
   * @return whether that was so
   */
  public boolean compactAll() {
    long last = events.length() - 1;
    boolean isNewest = compactedRevision == revision && changes == 0 && last >= firstEvent;
    if (!isNewest || AddressLog.revision(memory, events.get(last)) < revision) {
      return false;
    }
    revision++;
    compactedRevision = revision;
    return true;
  }

  /** Whether what a request asks for was compacted, be it of its keys alone. */
  public boolean isCompacted(RangeRequest request) {
    return request.revision < compactedRevision || starts.hide(request.revision, request);
  }

  /** From which revisions on Kinds with a window of their own have history. */
  public HistoryStarts historyStarts() {
    return starts;
  }

  /**
   * Declares that of keys with a history window nobody may ask for revisions below the given one
   * any more.
   *
   * @param at not above the store's revision; nothing changes if it is old
   */
  public void startHistory(int window, long at) {
    if (at > revision) {
      throw StoreException.FUTURE_REVISION;
    }
    starts = starts.with(window, at);
  }

  /** Lets the history that is shown start at these positions; what is before may be gone. */
  void startHistoryAt(long event, long life) {
    firstEvent = event;
    firstLife = life;
  }

  /** Shows readers everything that was committed. */
  public View publish() {
    View shown =
        new View(
            revision,
            compactedRevision,
            starts,
            tree.publish(),
            firstEvent,
            events.length(),
            firstLife,
            lives.length());
    view = shown;
    return shown;
  }
}
