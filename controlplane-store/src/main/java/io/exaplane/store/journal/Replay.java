// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.View;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.request.Slice;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongArrayList;

/** Brings a store to where the entries of a snapshot and of a log left it. Used at the start. */
final class Replay {
  private final Keyspace keyspace;
  private final Leases leases;
  private final boolean mayHaveLost;
  private final ProtoReader in = new ProtoReader();
  private final KeyValueReader kv = new KeyValueReader();
  private final Recovery recovery;
  private boolean ended;

  /**
   * @param mayHaveLost whether earlier versions may be missing
   */
  Replay(Keyspace keyspace, Leases leases, boolean mayHaveLost) {
    this.mayHaveLost = mayHaveLost;
    this.keyspace = keyspace;
    this.recovery = new Recovery(keyspace);
    this.leases = leases;
  }

  /** Whether the entry was met that ends a snapshot. */
  boolean ended() {
    return ended;
  }

  /** Applies a frame's payload. */
  void apply(ByteBuffer payload) {
    while (payload.hasRemaining()) {
      byte kind = payload.get();
      switch (kind) {
        case Entries.PUT, Entries.TOMBSTONE, Entries.BASE -> version(payload, kind);
        case Entries.COMPACTED -> recovery.compacted(payload.getLong());
        case Entries.LEASE -> lease(payload.getLong(), payload.getLong(), payload.getLong());
        case Entries.LEASE_ENDED -> leaseEnded(payload.getLong());
        case Entries.REVISION -> recovery.revision(payload.getLong());
        case Entries.SUB -> recovery.sub(payload.getInt());
        case Entries.HISTORY_STARTS -> recovery.historyStarts(historyStarts(payload));
        case Entries.END -> ended = true;
        default -> throw new IllegalStateException("entry of kind " + kind);
      }
    }
  }

  /**
   * Deletes the keys whose lease is over. Its end was kept, and that of a key that is in memory
   * only was not, although the key was once: together with others that are worth more.
   */
  void deleteOrphans() {
    LongArrayList orphans = new LongArrayList();
    RangeReader reader = new RangeReader(keyspace);
    View view = keyspace.working();
    reader.open(view, KeyRange.all(), view.revision());
    for (long record = reader.next(); record != 0; record = reader.next()) {
      long lease = KeyValues.lease(keyspace.memory(), record);
      if (lease != 0 && leases.get(lease) == null) {
        orphans.addLong(record);
      }
    }
    reader.close();
    orphans.forEachOrderedLong(keyspace::delete);
    keyspace.commit();
  }

  private void version(ByteBuffer payload, byte kind) {
    int sub = kind == Entries.BASE ? payload.getInt() : 0;
    int bytes = payload.getInt();
    in.open(payload.array(), payload.arrayOffset() + payload.position(), bytes);
    payload.position(payload.position() + bytes);
    kv.read(in);
    byte[] key = kv.key.copy();
    Slice value = kv.value;
    switch (kind) {
      case Entries.TOMBSTONE -> recovery.tombstone(key, kv.mod, mayHaveLost);
      case Entries.PUT ->
          recovery.put(key, kv.mod, value.array(), value.offset(), value.length(), kv.lease);
      default ->
          recovery.base(
              key,
              kv.create,
              kv.mod,
              sub,
              kv.version,
              value.array(),
              value.offset(),
              value.length(),
              kv.lease);
    }
  }

  private static Map<String, Long> historyStarts(ByteBuffer payload) {
    Map<String, Long> byPrefix = new HashMap<>();
    for (int left = payload.getInt(); left > 0; left--) {
      byte[] prefix = new byte[payload.getInt()];
      payload.get(prefix);
      byPrefix.put(new String(prefix, StandardCharsets.UTF_8), payload.getLong());
    }
    return byPrefix;
  }

  private void lease(long id, long ttlSeconds, long deadlineMs) {
    if (id == Entries.NO_LEASE) {
      leases.passed(deadlineMs);
      return;
    }
    Lease known = leases.get(id);
    if (known == null) {
      leases.add(id, ttlSeconds, deadlineMs);
    } else {
      leases.move(known, deadlineMs);
    }
  }

  private void leaseEnded(long id) {
    Lease lease = leases.get(id);
    if (lease != null) {
      leases.remove(lease);
    }
  }
}
