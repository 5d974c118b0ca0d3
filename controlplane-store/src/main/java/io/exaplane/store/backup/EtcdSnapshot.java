// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RetainedVersions;
import io.exaplane.store.core.lease.LeaseState;
import io.exaplane.store.core.memory.EpochReclaimer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * The store in etcd's file format, as etcdutl restores it: the backend's buckets
 * (server/storage/schema/bucket.go) without a cluster's members. For one thread.
 */
public final class EtcdSnapshot {
  /** Version of the format: the oldest etcd that knows one. */
  public static final String STORAGE_VERSION = "3.6.0";

  private static final List<String> EMPTY_BUCKETS =
      List.of("alarm", "auth", "authRoles", "authUsers", "cluster", "members", "members_removed");

  private static final long INDEX_OF_RAFT = 1;
  private static final long TERM = 1;

  private final MemorySegment memory;
  private final RetainedVersions versions;
  private final EpochReclaimer.Reader epoch;
  private final List<LeaseState> leases;
  private final long nowMs;
  private final BoltWriter.Layout layout;

  /**
   * Finds out how large the file is.
   *
   * @param nowMs the time by which leases count
   */
  public EtcdSnapshot(
      MemorySegment memory,
      RetainedVersions versions,
      EpochReclaimer.Reader epoch,
      List<LeaseState> leases,
      long nowMs)
      throws IOException {
    this.memory = memory;
    this.versions = versions;
    this.epoch = epoch;
    this.leases =
        leases.stream()
            .sorted(Comparator.comparing(LeaseState::id, Long::compareUnsigned))
            .toList();
    this.nowMs = nowMs;
    this.layout = write(BoltWriter.dry());
  }

  /** Bytes of the file, without the checksum that etcd's tools expect behind it. */
  public long bytes() {
    return layout.bytes();
  }

  /** Takes the file's bytes in order. */
  public interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  /** Hands over the file. */
  public void write(Sink sink) throws IOException {
    write(BoltWriter.to(sink::write, layout));
  }

  private BoltWriter.Layout write(BoltWriter out) throws IOException {
    out.flush();
    for (String name : EMPTY_BUCKETS) {
      out.beginBucket(name);
      out.endBucket();
    }
    writeMeta(out);
    writeLeases(out);
    writeKeys(out);
    return out.end();
  }

  private void writeMeta(BoltWriter out) {
    out.beginBucket("meta");
    put(out, "consistent_index", eightBytes(INDEX_OF_RAFT));
    if (versions.compactedRevision() > 0) {
      byte[] compacted = BackendVersion.revision(versions.compactedRevision());
      put(out, "finishedCompactRev", compacted);
      put(out, "scheduledCompactRev", compacted);
    }
    put(out, "storageVersion", STORAGE_VERSION.getBytes());
    put(out, "term", eightBytes(TERM));
    out.endBucket();
  }

  private static void put(BoltWriter out, String key, byte[] value) {
    out.entry(key.getBytes(), value.length).put(value);
  }

  private static byte[] eightBytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** {@code leasepb.Lease}: id, time to live, time that is left. */
  private void writeLeases(BoltWriter out) {
    out.beginBucket("lease");
    ReverseWriter value = new ReverseWriter();
    for (LeaseState lease : leases) {
      value.clear();
      value.number(3, Math.max(1, (lease.deadlineMs() - nowMs + 999) / 1000));
      value.number(2, lease.ttlSeconds());
      value.number(1, lease.id());
      byte[] bytes = value.copy();
      out.entry(eightBytes(lease.id()), bytes.length).put(bytes);
    }
    out.endBucket();
  }

  private void writeKeys(BoltWriter out) throws IOException {
    out.beginBucket("key");
    versions.forEach(
        epoch,
        versions.revision(),
        new RetainedVersions.Visitor<IOException>() {
          @Override
          public void version(long record) {
            out.entry(BackendVersion.key(memory, record), BackendVersion.valueBytes(memory, record))
                .put(BackendVersion.value(memory, record));
          }

          @Override
          public void piece() throws IOException {
            if (Thread.currentThread().isInterrupted()) {
              throw new InterruptedIOException("the store is stopping");
            }
            out.flush();
          }
        });
    out.endBucket();
  }
}
