// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.memory.Records;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Counts what a keyspace keeps, by class of keys, and says whether more may come. By the writer.
 */
public final class SpaceAccount {
  /** Of the heap, where it was most in a store of millions; measured, see DESIGN.md. */
  private static final long INDEX_BYTES_PER_KEY = 72;

  private static final byte[] COMPACTION_KEY = "compact_rev_key".getBytes(StandardCharsets.UTF_8);

  private final Keyspace keyspace;
  private final KeyClasses classes;
  private final SpaceLimits limits;

  SpaceAccount(Keyspace keyspace, KeyClasses classes, SpaceLimits limits) {
    this.keyspace = keyspace;
    this.classes = classes;
    this.limits = limits;
  }

  public KeyClasses classes() {
    return classes;
  }

  public SpaceLimits limits() {
    return limits;
  }

  /** The class of a record's key. By any thread that may look at the record. */
  public KeyClass classOf(long record) {
    return classes.get(keyspace.slots.classOf(Records.slot(keyspace.memory, record)));
  }

  /** A version was put. */
  void put(long record, boolean isNewKey) {
    classOf(record).put(isNewKey, Records.size(keyspace.memory, record));
  }

  /** A tombstone was put. */
  void deleted(long tombstone) {
    classOf(tombstone).deleted(Records.size(keyspace.memory, tombstone));
  }

  /** Nobody asks for a version any more. */
  void dead(long record) {
    classOf(record).freed(Records.size(keyspace.memory, record));
    keyspace.records.dead(record);
  }

  /** Bytes of all versions that are kept. */
  public long recordBytes() {
    return keyspace.records.recordBytes();
  }

  /** Bytes that it takes on the heap to find them. */
  public long indexBytes() {
    return keyspace.slots.taken() * INDEX_BYTES_PER_KEY + keyspace.positions() * Long.BYTES;
  }

  /** Whether there is no space for anything new, whatever its key. */
  public boolean isFull() {
    return recordBytes() >= limits.recordBytes() || indexBytes() >= limits.indexBytes();
  }

  /** Whether there is no space for anything new, be it with one prefix. */
  public boolean isAnyFull() {
    return isFull() || classes.isAnyFull();
  }

  /** Whether a version of a key may be added. */
  public boolean isFor(byte[] key, int offset, int length) {
    if (isFull()) {
      // By this key kube-apiservers agree on who compacts, which is the way out.
      return Arrays.equals(key, offset, offset + length, COMPACTION_KEY, 0, COMPACTION_KEY.length);
    }
    if (!classes.limited()) {
      return true;
    }
    int slot = keyspace.table.find(key, offset, length);
    short keyClass =
        slot == KeyTable.NOT_FOUND ? classes.of(key, offset, length) : keyspace.slots.classOf(slot);
    return !classes.get(keyClass).isFull();
  }
}
