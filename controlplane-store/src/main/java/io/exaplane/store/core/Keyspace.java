// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.history.AddressLog;
import io.exaplane.store.core.index.KeySlots;
import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.index.KeyTree;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.LeaseKeys;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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
  private static final long INDEX_BYTES_PER_KEY = 40;
  private static final byte[] COMPACTION_KEY = "compact_rev_key".getBytes(StandardCharsets.UTF_8);

  final MemorySegment memory;
  final RecordLog records;
  final KeySlots slots;
  final KeyTable table;
  final KeyTree tree;
  final AddressLog events = new AddressLog();
  final AddressLog lives = new AddressLog();
  final EpochReclaimer reclaimer;
  private final LeaseKeys leaseKeys;
  private final KeyClasses classes;
  private final SpaceLimits limits;

  private volatile View view;
  private long revision = FIRST_REVISION;
  private long compactedRevision = NEVER_COMPACTED;
  private long firstEvent;
  private long firstLife;
  private int changes;

  /**
   * Makes an empty keyspace.
   *
   * @param region where versions are kept
   * @param leaseKeys told of keys that are attached to leases and detached
   * @param hashSeed any number; keys of an attacker who doesn't know it don't collide
   * @param maxReaders number of threads that may read
   */
  public Keyspace(Region region, LeaseKeys leaseKeys, long hashSeed, int maxReaders) {
    this(region, leaseKeys, KeyClasses.plain(), SpaceLimits.NONE, hashSeed, maxReaders);
  }

  /**
   * Makes an empty keyspace.
   *
   * @param classes what is counted, limited and kept together
   */
  public Keyspace(
      Region region,
      LeaseKeys leaseKeys,
      KeyClasses classes,
      SpaceLimits limits,
      long hashSeed,
      int maxReaders) {
    this.classes = classes;
    this.limits = limits;
    reclaimer = new EpochReclaimer(maxReaders);
    records = new RecordLog(region, reclaimer);
    memory = records.memory();
    slots = new KeySlots();
    table = new KeyTable(memory, slots, hashSeed);
    tree = new KeyTree(memory, slots);
    this.leaseKeys = leaseKeys;
    publish();
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

  /** Number of changes since the last {@link #commit}. */
  public int changes() {
    return changes;
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
        tree.current(),
        firstEvent,
        events.length(),
        firstLife,
        lives.length());
  }

  /** The class of a record's key. By the writer. */
  public KeyClass classOf(long record) {
    return classes.get(slots.classOf(Records.slot(memory, record)));
  }

  /** What the writes of a record's key survive. By any thread that may look at the record. */
  public Durability durability(long record) {
    return classOf(record).rule().durability();
  }

  public KeyClasses classes() {
    return classes;
  }

  /** Tells that nobody asks for a version any more. */
  void dead(long record) {
    classOf(record).addBytes(-Records.size(memory, record));
    records.dead(record);
  }

  /** Keys that exist now. By the writer. */
  public long liveKeys() {
    return tree.current().live();
  }

  /** Bytes that it takes on the heap to find what is kept, as measured (DESIGN.md). */
  public long indexBytes() {
    long positions = events.length() - firstEvent + lives.length() - firstLife;
    return slots.taken() * INDEX_BYTES_PER_KEY + positions * Long.BYTES;
  }

  public SpaceLimits limits() {
    return limits;
  }

  /** Whether there is no space for anything new, whatever its key. By the writer. */
  public boolean isFull() {
    return records.recordBytes() >= limits.recordBytes() || indexBytes() >= limits.indexBytes();
  }

  /** Whether a version of a key may be added. By the writer. */
  public boolean hasSpaceFor(byte[] key, int offset, int length) {
    if (isFull()) {
      // By this key kube-apiservers agree on who compacts, which is the way out.
      return Arrays.equals(key, offset, offset + length, COMPACTION_KEY, 0, COMPACTION_KEY.length);
    }
    if (!classes.limited()) {
      return true;
    }
    int slot = table.find(key, offset, length);
    short keyClass =
        slot == KeyTable.NOT_FOUND ? classes.of(key, offset, length) : slots.classOf(slot);
    return !classes.get(keyClass).isFull();
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
    long record =
        records.appendPut(
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
    link(record, slot, lived, key, keyOffset, keyBytes);
    KeyClass keyClass = classOf(record);
    keyClass.put(!lived);
    keyClass.addBytes(Records.size(memory, record));
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

  private void link(long record, int slot, boolean lived, byte[] key, int keyOffset, int keyBytes) {
    if (slot == KeyTable.NOT_FOUND) {
      int taken = slots.take(record, classes.of(key, keyOffset, keyBytes));
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
    long record = records.appendTombstone(slot, live, changes, key, revision + 1);
    slots.newest(slot, record);
    tree.setLive(key, 0, key.length, false);
    KeyClass keyClass = classOf(record);
    keyClass.deleted();
    keyClass.addBytes(Records.size(memory, record));
    note(record, true);
    moveToLease(record, KeyValues.lease(memory, live), 0);
    return record;
  }

  /**
   * Takes in a version as it was before a restart, in the order of revisions.
   *
   * @param mod its revision; the revisions in between were used by nobody
   */
  public void restorePut(byte[] key, long mod, byte[] value, int offset, int length, long lease) {
    openRevision(mod);
    put(key, 0, key.length, value, offset, length, lease);
  }

  /**
   * Takes in a deletion as it was before a restart, in the order of revisions.
   *
   * @param mayBeGone whether what it deleted may have been lost
   */
  public void restoreTombstone(byte[] key, long mod, boolean mayBeGone) {
    openRevision(mod);
    long live = newest(key, 0, key.length);
    if (live == 0 && mayBeGone) {
      return;
    }
    if (live == 0) {
      throw new IllegalStateException(
          "a key was deleted at revision %d that is not there".formatted(mod));
    }
    delete(live);
  }

  /**
   * Takes in what a key was before the oldest revision that can be asked for; before all others and
   * in any order.
   *
   * @param sub its position among the changes of the revision
   */
  public void restoreBase(
      byte[] key,
      long create,
      long mod,
      int sub,
      long version,
      byte[] value,
      int offset,
      int length,
      long lease) {
    long record =
        records.appendPut(
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
    link(record, KeyTable.NOT_FOUND, false, key, 0, key.length);
    KeyClass keyClass = classOf(record);
    keyClass.put(true);
    keyClass.addBytes(Records.size(memory, record));
    revision = Math.max(revision, mod);
    moveToLease(record, 0, lease);
  }

  private void openRevision(long mod) {
    if (changes > 0 && mod != revision + 1) {
      commit();
    }
    if (mod <= revision) {
      throw new IllegalStateException("revision %d comes after %d".formatted(mod, revision));
    }
    revision = mod - 1;
  }

  /** Takes in that revisions below the given one were compacted before the restart. */
  public void restoreCompacted(long at) {
    compactedRevision = Math.max(compactedRevision, at);
  }

  /** Takes in that the store was at a revision, whether or not a version says so. */
  public void restoreRevision(long at) {
    commit();
    revision = Math.max(revision, at);
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
            tree.publish(),
            firstEvent,
            events.length(),
            firstLife,
            lives.length());
    view = shown;
    return shown;
  }
}
