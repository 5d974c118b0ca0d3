// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.Quota;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.Slice;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.IntHashSet;

/**
 * What a request would add to a store, or a prefix, that is full, and whether that is taken. Used
 * by the writer, when something is full or may be by the request: first {@link #begin}, then
 * everything that the request changes in order, then {@link #fits}.
 *
 * <p>Every write adds a version, also one that makes nothing larger, until the version before is
 * freed. So there is a reserve above each limit, and a store that is full compacts by itself. Of
 * the reserve, all is for requests that leave no more behind than there was: renewals of Leases,
 * updates of the same size or smaller, deletions with something put in their place. The lower half
 * is, too, for updates that make a key a little larger, as a number with one more digit does, and
 * for small objects of Kinds that a kube-apiserver must be able to write. The lower three quarters
 * are for updates that begin or go on with the deletion of an object, see {@link DeletionMark}:
 * they make it larger, and free it in the end. What is measured is what the client wrote, key,
 * value and lease: the revisions in a version grow by themselves, by a few bytes in a key's life.
 *
 * <p>For what kube-apiservers load, only the newest versions count, and one value may take many
 * times its bytes. A request that makes that no larger is always taken. Others pass the limit by a
 * part of the reserve only: any request from below the limit by an eighth; updates that make a key
 * a little larger, as the start of a deletion does, to a quarter; small objects and such updates of
 * the Kinds that a kube-apiserver must be able to write to a half.
 */
public final class Growth {
  private static final int LITTLE_MORE_BYTES = 64;
  private static final int SMALL_OBJECT_BYTES = 4 << 10;

  /** By which an object grows while it is deleted: a time, conditions, how its containers ended. */
  private static final int DELETION_BYTES = 1 << 10;

  // How many eighths of a reserve are for whom, of limits for which history counts.
  private static final int EIGHTHS = 8;
  private static final int DELETION_EIGHTHS = 6;
  private static final int SMALL_EIGHTHS = 4;

  /** Of load: 1 KiB more in protobuf, or a few more maps and texts in JSON. */
  private static final int LITTLE_MORE_LOAD_BYTES = 3 << 10;

  // Which part of the reserve of load is for whom, the largest first.
  private static final int VITAL_PARTS = 2;
  private static final int LITTLE_MORE_PARTS = 4;
  private static final int ANY_PARTS = 8;

  /** Of three numbers in a version that are not the client's. */
  private static final int NUMBERS_BYTES = 3 * 11;

  private static final int POSITIONS_BYTES = 2 * Long.BYTES;

  private final Keyspace keyspace;
  private final SpaceAccount space;
  private final MemorySegment memory;
  private final List<SpaceScope> scopes;
  // By scope.
  private final long[] more;
  private final long[] added;
  private final IntHashSet deleted = new IntHashSet();
  private boolean isCounted;
  private int eighths;
  private int loadParts;

  Growth(Keyspace keyspace, SpaceAccount space) {
    this.keyspace = keyspace;
    this.space = space;
    this.memory = keyspace.memory;
    this.scopes = space.scopes();
    this.more = new long[scopes.size()];
    this.added = new long[scopes.size()];
  }

  /** Begins with a request. */
  public void begin() {
    Arrays.fill(more, 0);
    Arrays.fill(added, 0);
    deleted.clear();
    isCounted = false;
    eighths = DELETION_EIGHTHS;
    loadParts = VITAL_PARTS;
  }

  /** The request deletes the key of a live version. */
  public void delete(long live) {
    if (deleted.add(Records.slot(memory, live))) {
      int tombstone = Records.sizeOf(Records.keyBytes(memory, live) + NUMBERS_BYTES);
      KeyClass keyClass = space.classes().get(space.classOf(Records.slot(memory, live)));
      add(keyClass, -contentBytes(live), -1, tombstone, POSITIONS_BYTES);
      long load = load(keyClass, live);
      add(SpaceAccount.LOAD, -load, -load);
    }
  }

  /** The request puts a version. */
  public void put(PutRequest request) {
    byte[] key = request.key.array();
    int offset = request.key.offset();
    int length = request.key.length();
    if (SpaceAccount.isCompactionKey(key, offset, length)) {
      return; // by it kube-apiservers agree on who compacts
    }
    isCounted = true;
    int slot = keyspace.table.find(key, offset, length);
    boolean isNew = slot == KeyTable.NOT_FOUND;
    KeyClass keyClass =
        space.classes().get(isNew ? space.classes().of(key, offset, length) : space.classOf(slot));
    long before = isNew || deleted.contains(slot) ? 0 : live(slot);
    int content = contentBytes(request, before);
    int grown = content - (before == 0 ? 0 : contentBytes(before));
    eighths = Math.min(eighths, eighths(keyClass, request, before, content, grown));
    add(
        keyClass,
        grown,
        before == 0 ? 1 : 0,
        Records.sizeOf(content + NUMBERS_BYTES),
        (isNew ? SpaceAccount.INDEX_BYTES_PER_KEY : 0) + POSITIONS_BYTES);
    long load =
        load(keyClass, request, before, content) - (before == 0 ? 0 : load(keyClass, before));
    add(SpaceAccount.LOAD, load, load);
    if (load > 0) {
      boolean isLittle = before != 0 && load <= LITTLE_MORE_LOAD_BYTES;
      boolean isVital = keyClass.isVital() && (isLittle || content <= SMALL_OBJECT_BYTES);
      loadParts =
          Math.max(loadParts, isVital ? VITAL_PARTS : isLittle ? LITTLE_MORE_PARTS : ANY_PARTS);
    }
  }

  /** How much of a reserve a put may take that makes its key larger by some bytes. */
  private static int eighths(
      KeyClass keyClass, PutRequest request, long before, int content, int grown) {
    if (before != 0 && grown <= DELETION_BYTES) {
      Slice value = request.value;
      if (grown <= 0 || DeletionMark.isIn(value.array(), value.offset(), value.length())) {
        return DELETION_EIGHTHS;
      }
    }
    boolean isSmall =
        before != 0 && grown <= LITTLE_MORE_BYTES
            || keyClass.isVital() && content <= SMALL_OBJECT_BYTES;
    return isSmall ? SMALL_EIGHTHS : 0;
  }

  /** What a live version takes of a kube-apiserver's memory, by what the client wrote. */
  private long load(KeyClass keyClass, long live) {
    return keyClass.isLoaded() ? SpaceAccount.loadOf(valueLoad(live), contentBytes(live)) : 0;
  }

  private int valueLoad(long live) {
    return keyspace.slots.load(Records.slot(memory, live));
  }

  private long load(KeyClass keyClass, PutRequest request, long before, int content) {
    if (!keyClass.isLoaded()) {
      return 0;
    }
    Slice value = request.value;
    int walked =
        request.ignoreValue && before != 0
            ? valueLoad(before)
            : space.valueLoad(keyClass, value.array(), value.offset(), value.length());
    return SpaceAccount.loadOf(walked, content);
  }

  private long live(int slot) {
    long newest = keyspace.slots.newest(slot);
    return Records.isTombstone(memory, newest) ? 0 : newest;
  }

  private int contentBytes(PutRequest request, long before) {
    boolean keepsValue = request.ignoreValue && before != 0;
    boolean keepsLease = request.ignoreLease && before != 0;
    return KeyValues.contentBytes(
        request.key.length(),
        keepsValue ? KeyValues.valueBytes(memory, before) : request.value.length(),
        keepsLease ? KeyValues.lease(memory, before) : request.lease);
  }

  private int contentBytes(long record) {
    return KeyValues.contentBytes(
        Records.keyBytes(memory, record),
        KeyValues.valueBytes(memory, record),
        KeyValues.lease(memory, record));
  }

  private void add(KeyClass keyClass, int bytesMore, int keysMore, int bytes, long indexBytes) {
    add(SpaceAccount.RECORDS, bytesMore, bytes);
    add(SpaceAccount.INDEX, keysMore, indexBytes);
    for (Quota quota : keyClass.quotas()) {
      add(SpaceAccount.QUOTAS + quota.number(), bytesMore, bytes);
    }
  }

  private void add(int scope, long moreThere, long addedThere) {
    more[scope] += moreThere;
    added[scope] += addedThere;
  }

  /** Whether the request is taken. One that puts nothing always is. */
  public boolean fits() {
    boolean fits = true;
    for (int i = 0; i < more.length && isCounted; i++) {
      fits &= added[i] <= 0 || fits(scopes.get(i), more[i], added[i]);
    }
    return fits;
  }

  private boolean fits(SpaceScope scope, long moreThere, long addedThere) {
    if (!scope.countsHistory()) {
      return fitsNewest(scope, addedThere);
    }
    if (!scope.isFull()) {
      return true;
    }
    long reserve = scope.reserveBytes() * (moreThere <= 0 ? EIGHTHS : eighths) / EIGHTHS;
    return reserve > 0 && scope.used() + addedThere <= scope.limitBytes() + reserve;
  }

  /** Of a scope for which only the newest versions count: nothing comes back later. */
  private boolean fitsNewest(SpaceScope scope, long addedThere) {
    boolean isPassed = loadParts == ANY_PARTS && scope.isFull();
    return !isPassed
        && scope.used() + addedThere <= scope.limitBytes() + scope.reserveBytes() / loadParts;
  }
}
