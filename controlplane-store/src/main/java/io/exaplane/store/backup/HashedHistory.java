// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RetainedVersions;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.Records;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A history up to a revision, and etcd's hash of it (Maintenance/HashKV;
 * server/storage/mvcc/hash.go): stores that went the same way have the same one. For one thread.
 */
public final class HashedHistory implements AutoCloseable {
  private final MemorySegment memory;
  private final RetainedVersions versions;
  private final long upTo;
  private final boolean keepsSome;

  private HashedHistory(Keyspace keyspace, RevisionPins pins, long asked) {
    View view = keyspace.view();
    memory = keyspace.memory();
    // As in etcd: before revision 0 there is nothing, which is no error.
    upTo = asked < 0 ? asked : RangeReader.resolve(view, asked);
    if (asked > 0 && upTo < view.wholeSince()) {
      throw StoreException.COMPACTED;
    }
    keepsSome = asked >= 0 && new RangeReader(keyspace).count(view, KeyRange.all(), upTo) > 0;
    versions = new RetainedVersions(keyspace, view, pins);
  }

  /**
   * Takes what is published now.
   *
   * @param asked the revision; 0 for the newest
   * @throws StoreException if it was compacted or is not there yet
   */
  public static HashedHistory open(
      Keyspace keyspace, RevisionPins pins, EpochReclaimer.Reader epoch, long asked) {
    epoch.enter();
    try {
      return new HashedHistory(keyspace, pins, asked);
    } finally {
      epoch.leave();
    }
  }

  /** The last revision that is in the hash. */
  public long upTo() {
    return upTo;
  }

  /** The store's revision. */
  public long revision() {
    return versions.revision();
  }

  public long compactedRevision() {
    return versions.compactedRevision();
  }

  public int hash(EpochReclaimer.Reader epoch) {
    CRC32C crc = new CRC32C();
    crc.update("key".getBytes(StandardCharsets.US_ASCII));
    versions.forEach(
        epoch,
        upTo,
        new RetainedVersions.Visitor<RuntimeException>() {
          @Override
          public void version(long record) {
            if (counts(record)) {
              crc.update(BackendVersion.key(memory, record));
              crc.update(BackendVersion.value(memory, record));
            }
          }

          @Override
          public void piece() {
            if (Thread.currentThread().isInterrupted()) {
              throw StoreException.unavailable("the store is stopping");
            }
          }
        });
    return (int) crc.getValue();
  }

  /**
   * What a compaction at the hashed revision would drop counts no more, as if it had been done;
   * etcd forgets to look when it would drop everything.
   */
  private boolean counts(long record) {
    boolean afterCompaction = Records.modRevision(memory, record) > versions.compactedRevision();
    return afterCompaction || !keepsSome || versions.isCurrent(record, upTo);
  }

  @Override
  public void close() {
    versions.close();
  }
}
