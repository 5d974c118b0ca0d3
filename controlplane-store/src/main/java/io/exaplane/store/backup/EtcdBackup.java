// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.View;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.DeleteRangeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A file that {@code etcdctl snapshot save} made of our store or of etcd, or etcd's own backend
 * file. Read once, for a store that begins with it.
 */
public final class EtcdBackup {
  private static final int CHECKSUM_BYTES = 32;

  /** etcdutl tells by this whether there is a checksum: files are multiples of it without one. */
  private static final int SECTOR_BYTES = 512;

  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Path path;
  private final ProtoReader in = new ProtoReader();
  private final KeyValueReader kv = new KeyValueReader();
  private final Map<ByteBuffer, byte[]> newestOfKeys = new HashMap<>();
  private long newestRevision = Keyspace.FIRST_REVISION;

  /**
   * Opens a file.
   *
   * @param checked whether it must have its checksum, which etcd's own files don't have
   * @throws IOException if it can't be read or is not what the checksum says
   */
  public EtcdBackup(Path path, boolean checked) throws IOException {
    this.path = path;
    if (checked) {
      check();
    }
  }

  private void check() throws IOException {
    long bytes = Files.size(path);
    long beyond = bytes % SECTOR_BYTES;
    if (beyond != CHECKSUM_BYTES && beyond != 0) {
      throw new IOException(
          "%s has %d bytes, and a backup has a multiple of %d and %d for its checksum: a part is missing or was added; copy the backup again"
              .formatted(path, bytes, SECTOR_BYTES, CHECKSUM_BYTES));
    }
    if (beyond == 0) {
      throw new IOException(
          "%s has no checksum at its end; for a copy from an etcd's data folder, add --skip-hash-check"
              .formatted(path));
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        InputStream content = Channels.newInputStream(channel)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 20];
      long left = bytes - CHECKSUM_BYTES;
      while (left > 0) {
        int read = content.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new IOException("%s became shorter while it was read".formatted(path));
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
      if (!Arrays.equals(digest.digest(), content.readNBytes(CHECKSUM_BYTES))) {
        throw new IOException(
            "the checksum of %s does not match its content; take another backup".formatted(path));
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What it has beside keys and leases.
   *
   * @throws IOException if it is not of an etcd that is known
   */
  public EtcdContents contents() throws IOException {
    return EtcdContents.of(path);
  }

  /**
   * Fills an empty store with the newest version of every key and with the leases. Its revision is
   * raised, so that nobody takes a new revision for one that was shown before, and everything below
   * is marked compacted, so that everybody reads anew.
   *
   * @param bump by how much revisions go on above the newest one; at least 2, so that who has seen
   *     everything, and asks for the next revision, is told to read anew
   * @param nowMs leases have the time from then on that was left to them
   * @param tail what is carried out behind it, of a data folder whose log has more
   * @return the number of keys
   * @throws IOException if it can't be read, or has a value that no store can hold
   */
  public int restore(
      Keyspace keyspace, Leases leases, long bump, long nowMs, Optional<EtcdTail> tail)
      throws IOException {
    Recovery recovery = new Recovery(keyspace);
    try (BoltReader file = new BoltReader(path)) {
      file.forEach("key", (key, value) -> note(key, value));
      file.forEach("meta", (key, value) -> noteCompaction(key, value));
      leases.passed(nowMs);
      file.forEach("lease", (key, value) -> restoreLease(leases, value, nowMs));
      long mostBytes = keyspace.records().mostRecordBytes();
      file.forEach("key", (key, value) -> restoreKey(recovery, mostBytes, key, value));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (RuntimeException e) {
      throw new IOException(
          "%s holds data that etcd does not write (%s); take another backup".formatted(path, e), e);
    }
    newestOfKeys.clear();
    recovery.revision(newestRevision);
    recovery.compacted(newestRevision);
    if (tail.isPresent()) {
      new EtcdReplay(tail.get(), keyspace, leases, nowMs).run();
    }
    long next = keyspace.revision() + bump;
    recovery.revision(next);
    recovery.compacted(next);
    return keys(keyspace);
  }

  private static int keys(Keyspace keyspace) {
    DeleteRangeRequest all = new DeleteRangeRequest();
    all.key.set(new byte[1]);
    all.rangeEnd.set(new byte[1]);
    View view = keyspace.working();
    RangeReader reader = new RangeReader(keyspace);
    reader.open(view, all.range(), view.revision());
    int keys = 0;
    while (reader.next() != 0) {
      keys++;
    }
    reader.close();
    return keys;
  }

  private void note(MemorySegment revision, MemorySegment value) {
    newestRevision = Math.max(newestRevision, revision.get(BIG_ENDIAN, 0));
    read(value);
    ByteBuffer key = ByteBuffer.wrap(kv.key.copy());
    if (!key.hasRemaining()) {
      return; // etcdutl writes such a one to raise the revision
    }
    boolean tombstone = revision.byteSize() > BackendVersion.KEY_BYTES;
    if (tombstone) {
      newestOfKeys.remove(key);
    } else {
      newestOfKeys.put(key, revision.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private void noteCompaction(MemorySegment key, MemorySegment value) {
    String name = new String(key.toArray(ValueLayout.JAVA_BYTE));
    if (name.equals("finishedCompactRev") || name.equals("scheduledCompactRev")) {
      newestRevision = Math.max(newestRevision, value.get(BIG_ENDIAN, 0));
    }
  }

  private void read(MemorySegment keyValue) {
    byte[] bytes = keyValue.toArray(ValueLayout.JAVA_BYTE);
    kv.read(in.open(bytes, 0, bytes.length));
  }

  private void restoreKey(
      Recovery recovery, long mostBytes, MemorySegment revision, MemorySegment encoded) {
    read(encoded);
    byte[] key = kv.key.copy();
    byte[] newest = newestOfKeys.get(ByteBuffer.wrap(key));
    if (newest == null || revision.mismatch(MemorySegment.ofArray(newest)) != -1) {
      return;
    }
    if (Records.sizeOf((int) encoded.byteSize()) > mostBytes) {
      throw new UncheckedIOException(
          new IOException(
              "the key %s, with its value, has %d bytes, but a record of this store has at most %d bytes. Delete the key in etcd or shorten its value, then take another backup"
                  .formatted(
                      new String(key, StandardCharsets.UTF_8), encoded.byteSize(), mostBytes)));
    }
    recovery.base(
        key,
        kv.create,
        revision.get(BIG_ENDIAN, 0),
        (int) revision.get(BIG_ENDIAN, Long.BYTES + 1),
        kv.version,
        kv.value.array(),
        kv.value.offset(),
        kv.value.length(),
        kv.lease);
  }

  private void restoreLease(Leases leases, MemorySegment value, long nowMs) {
    byte[] bytes = value.toArray(ValueLayout.JAVA_BYTE);
    in.open(bytes, 0, bytes.length);
    long id = 0;
    long ttlSeconds = 0;
    long leftSeconds = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> id = in.number();
        case 2 -> ttlSeconds = in.number();
        case 3 -> leftSeconds = in.number();
        default -> in.skip();
      }
    }
    leases.add(id, ttlSeconds, nowMs + (leftSeconds > 0 ? leftSeconds : ttlSeconds) * 1000);
  }
}
