// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.Quota;
import io.exaplane.store.core.kind.Usage;
import io.exaplane.store.core.load.KnownLoads;
import io.exaplane.store.core.load.ValueLoad;
import io.exaplane.store.core.memory.Records;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts what a keyspace keeps, by class of keys, and says whether there is space. What may come
 * when there is none, {@link Growth} says. By the writer.
 */
public final class SpaceAccount {
  /** Of the heap, where it was most in a store of millions; measured, see DESIGN.md. */
  static final long INDEX_BYTES_PER_KEY = 72;

  // Numbers of scopes.
  static final int RECORDS = 0;
  static final int INDEX = 1;
  static final int LOAD = 2;
  static final int QUOTAS = 3;

  /**
   * What a kube-apiserver keeps of an object beside what is in it: its place in the watch cache,
   * its key, its metadata's fixed part.
   */
  private static final int LOADED_OBJECT_BYTES = 1250;

  private static final byte[] COMPACTION_KEY = "compact_rev_key".getBytes(StandardCharsets.UTF_8);

  private final Keyspace keyspace;
  private final KeyClasses classes;
  private final SpaceLimits limits;
  private final List<SpaceScope> scopes;
  private final Growth growth;
  private final ValueLoad walk = new ValueLoad();
  private byte[] knownIn;
  private KnownLoads known;

  SpaceAccount(Keyspace keyspace, KeyClasses classes, SpaceLimits limits) {
    this.keyspace = keyspace;
    this.classes = classes;
    this.limits = limits;
    this.scopes = List.copyOf(scopesOf());
    this.growth = new Growth(keyspace, this);
  }

  private List<SpaceScope> scopesOf() {
    List<SpaceScope> all = new ArrayList<>();
    all.add(
        scope(
            "records",
            this::recordBytes,
            classes.whole(),
            limits.recordBytes(),
            limits.recordReserve()));
    all.add(
        new SpaceScope(
            "index",
            this::indexBytes,
            // Of the index of deleted keys there is more; what it gives back is not less than this.
            () -> keyspace.eventCount() * Long.BYTES,
            () -> (keyspace.eventCount() - keyspace.keptEvents()) * Long.BYTES,
            limits.indexBytes(),
            limits.indexReserve()));
    all.add(SpaceScope.ofNewest("load", this::loadBytes, limits.loadBytes(), limits.loadReserve()));
    for (Quota quota : classes.quotas()) {
      long bytes = quota.rule().maxBytes();
      all.add(
          scope(
              quota.rule().prefix(),
              quota.usage()::bytes,
              quota.usage(),
              bytes,
              SpaceLimits.reserve(bytes, 0)));
    }
    return all;
  }

  private static SpaceScope scope(
      String name, LongSupplier used, Usage usage, long limitBytes, long reserveBytes) {
    return new SpaceScope(
        name, used, usage::replacedBytes, usage::freedBytes, limitBytes, reserveBytes);
  }

  public KeyClasses classes() {
    return classes;
  }

  public SpaceLimits limits() {
    return limits;
  }

  /** Everything that is limited. */
  public List<SpaceScope> scopes() {
    return scopes;
  }

  /** For requests that come while something is full, or that may fill it. */
  public Growth growth() {
    return growth;
  }

  /** The class of a record's key. By any thread that may look at the record. */
  public KeyClass classOf(long record) {
    return classes.get(classOf(Records.slot(keyspace.memory, record)));
  }

  /** Whether a record's key is in no file, see {@link KeyClass#isInMemoryOnly}. */
  public boolean isInMemoryOnly(long record) {
    return classOf(record).isInMemoryOnly();
  }

  /** Number of the class of a slot's key. */
  short classOf(int slot) {
    return keyspace.slots.classOf(slot);
  }

  /**
   * A version was put.
   *
   * @param replaced the live version before, 0 if there was none
   * @param value its value, from an offset on
   */
  void put(long record, long replaced, byte[] value, int offset, int length) {
    KeyClass keyClass = classOf(record);
    if (keyClass.isLoaded()) {
      int slot = Records.slot(keyspace.memory, record);
      long before = replaced == 0 ? 0 : loadOfNewest(slot, replaced);
      keyspace.slots.load(slot, valueLoad(keyClass, value, offset, length));
      keyClass.loaded(loadOfNewest(slot, record) - before);
    }
    keyClass.put(
        Records.size(keyspace.memory, record),
        replaced == 0 ? 0 : Records.size(keyspace.memory, replaced));
    classes.written(
        keyClass,
        Records.modRevision(keyspace.memory, record),
        replaced == 0 ? 0 : Records.modRevision(keyspace.memory, replaced));
  }

  /** A tombstone was put. */
  void deleted(long tombstone, long live) {
    KeyClass keyClass = classOf(tombstone);
    if (keyClass.isLoaded()) {
      int slot = Records.slot(keyspace.memory, tombstone);
      keyClass.loaded(-loadOfNewest(slot, live));
      keyspace.slots.load(slot, 0);
    }
    keyClass.deleted(Records.size(keyspace.memory, tombstone), Records.size(keyspace.memory, live));
    classes.deleted(keyClass, Records.modRevision(keyspace.memory, live));
  }

  /** Says what values in an array take decoded, until it is said of another one; null for none. */
  public void known(byte[] array, KnownLoads loads) {
    knownIn = array;
    known = loads;
  }

  /** What a value takes decoded, if a kube-apiserver loads it; 0 if its bytes alone tell that. */
  int valueLoad(KeyClass keyClass, byte[] value, int offset, int length) {
    if (!keyClass.isLoaded() || !ValueLoad.isWalked(value, offset, length)) {
      return 0;
    }
    int load = value == knownIn ? known.of(offset, length) : KnownLoads.UNKNOWN;
    return load == KnownLoads.UNKNOWN ? walk.of(value, offset, length) : load;
  }

  private long loadOfNewest(int slot, long newest) {
    return loadOf(keyspace.slots.load(slot), Records.size(keyspace.memory, newest));
  }

  /**
   * What an object takes of a kube-apiserver's memory.
   *
   * @param valueLoad of its value; 0 if its bytes alone tell that
   * @param size of its record
   */
  static long loadOf(int valueLoad, int size) {
    // Most objects in protobuf take two and a half times as much decoded; measured, see tuning.
    return LOADED_OBJECT_BYTES + (valueLoad > 0 ? valueLoad : size + size + size / 2L);
  }

  /**
   * What the object of a live record takes of a kube-apiserver's memory. By any thread that may
   * look at the record; when the object is written meanwhile, it may be that of the next version.
   */
  public long loadOf(long record) {
    int slot = Records.slot(keyspace.memory, record);
    return classes.get(classOf(slot)).isLoaded() ? loadOfNewest(slot, record) : 0;
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

  /** Bytes of the newest versions of the keys that exist. */
  public long liveBytes() {
    return classes.whole().liveBytes();
  }

  /**
   * Bytes of a kube-apiserver's memory that the newest versions take when it has loaded them, as
   * estimated: by their bytes, and by how these are cut up. Events are not loaded.
   */
  public long loadBytes() {
    return classes.whole().loadBytes();
  }

  /** Bytes that it takes on the heap to find them. */
  public long indexBytes() {
    return keyspace.slots.taken() * INDEX_BYTES_PER_KEY + keyspace.positions() * Long.BYTES;
  }

  /** Whether there is no space for anything that grows, whatever its key. */
  public boolean isFull() {
    return recordBytes() >= limits.recordBytes()
        || indexBytes() >= limits.indexBytes()
        || loadBytes() >= limits.loadBytes();
  }

  /** Which of the limits of the whole store is reached, in words; empty if none is. */
  public String fullLimits() {
    return Stream.of(
            recordBytes() >= limits.recordBytes() ? "the bytes of all versions" : "",
            indexBytes() >= limits.indexBytes() ? "the memory to find keys" : "",
            loadBytes() >= limits.loadBytes()
                ? "the memory in which kube-apiservers load the objects"
                : "")
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /** Whether there is no space for anything that grows, be it with one prefix. */
  public boolean isAnyFull() {
    return isFull() || classes.isAnyFull();
  }

  /**
   * Whether something is full, or may be passed by a request: what is loaded grows by many times
   * the bytes of a value. The bytes of versions and the index do not.
   *
   * @param mostLoad of the request, from {@link #mostLoad}
   */
  public boolean isAnyFullWith(long mostLoad) {
    return recordBytes() >= limits.recordBytes()
        || indexBytes() >= limits.indexBytes()
        || loadBytes() >= limits.loadBytes() - mostLoad
        || classes.isAnyFull();
  }

  /** What an object can at most take of a kube-apiserver's memory, with a key and a value. */
  public static long mostLoad(int keyBytes, int valueBytes) {
    // A key has at least a byte: that covers the numbers in a version, too.
    return LOADED_OBJECT_BYTES + (long) ValueLoad.MOST_PER_BYTE * (keyBytes + valueBytes);
  }

  static boolean isCompactionKey(byte[] key, int offset, int length) {
    return Arrays.equals(key, offset, offset + length, COMPACTION_KEY, 0, COMPACTION_KEY.length);
  }
}
