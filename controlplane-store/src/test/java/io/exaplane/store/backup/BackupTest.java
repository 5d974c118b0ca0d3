// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RetainedVersions;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.lease.LeaseState;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Backups taken while the store goes on, in seeded random histories: read again, restored. */
class BackupTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int LEASE = 77;

  /** A version as etcd's backend has it; {@code value} is null for a tombstone. */
  private record Stored(long revision, int sub, String key, String value) {}

  @TempDir Path folder;
  private final Region region = Region.reserve(256 << 20, 16);
  private final Leases leases = new Leases(() -> 1);
  private final Keyspace keyspace =
      new Keyspace(
          region,
          leases,
          new KeyClasses(
              List.of(
                  new PrefixRule("/registry/pods/p1", 0, Durability.FSYNC, 1000),
                  new PrefixRule("/registry/pods/p11", 0, Durability.FSYNC, 2000)),
              Durability.FSYNC),
          SpaceLimits.NONE,
          42,
          2);
  private final RevisionPins pins = new RevisionPins();
  private final Cleaner cleaner = keyspace.cleaner();
  private final EpochReclaimer.Reader epoch = keyspace.reclaimer().newReader();
  private final List<Stored> all = new ArrayList<>();
  private boolean windowed;

  @AfterEach
  void close() {
    region.close();
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void holdsWhatTheStoreHeldAndCanBeRestored(long seed) throws Exception {
    Random random = new Random(seed);
    windowed = seed % 2 == 0;
    int keys = 1 << random.nextInt(1, 10);
    leases.add(LEASE, 600, NOW_MS + 30_000);
    for (int step = random.nextInt(1, 600); step > 0; step--) {
      change(random, keys);
    }
    keyspace.publish();
    Path file = folder.resolve("backup.db");
    List<Stored> expected;
    long revision;
    try (RetainedVersions versions = new RetainedVersions(keyspace, keyspace.view(), pins)) {
      expected = retained(versions.compactedRevision(), versions.revision());
      revision = versions.revision();
      write(file, versions, () -> change(random, keys));
    }
    assertThat(read(file)).isEqualTo(expected);
    restore(file, expected, revision);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void hashesAsEtcdDoes(long seed) {
    Random random = new Random(seed);
    windowed = seed % 2 == 0;
    for (int step = random.nextInt(1, 600); step > 0; step--) {
      change(random, 1 << random.nextInt(1, 8));
    }
    keyspace.publish();
    long compacted = keyspace.view().wholeSince();
    if (compacted > 1) {
      assertThatThrownBy(() -> HashedHistory.open(keyspace, pins, epoch, compacted - 1))
          .isSameAs(StoreException.COMPACTED);
    }
    long at = Math.max(1, compacted);
    at += random.nextLong(keyspace.view().revision() - at + 1);
    try (HashedHistory history = HashedHistory.open(keyspace, pins, epoch, at)) {
      assertThat(history.hash(epoch)).isEqualTo(expectedHash(compacted, at));
      assertThat(history.upTo()).isEqualTo(at);
    }
  }

  /** As hash.go says: what is kept at the revision, and what was written after the compaction. */
  private int expectedHash(long compacted, long at) {
    Map<String, Stored> kept = newest(at);
    CRC32C crc = new CRC32C();
    crc.update("key".getBytes(UTF_8));
    for (Stored each : retained(compacted, at)) {
      if (each.revision() > compacted || kept.isEmpty() || kept.get(each.key()) == each) {
        ByteBuffer key = ByteBuffer.allocate(each.value() == null ? 18 : 17);
        key.putLong(each.revision()).put((byte) '_').putLong(each.sub());
        if (each.value() == null) {
          key.put((byte) 't');
        }
        crc.update(key.flip());
        crc.update(encoded(each));
      }
    }
    return (int) crc.getValue();
  }

  private byte[] encoded(Stored stored) {
    byte[] key = stored.key().getBytes(UTF_8);
    if (stored.value() == null) {
      ByteBuffer value = ByteBuffer.allocate(2 + key.length);
      return value.put((byte) 0x0a).put((byte) key.length).put(key).array();
    }
    RangeReader reader = new RangeReader(keyspace);
    long record = reader.find(key, 0, key.length, stored.revision());
    return keyspace
        .memory()
        .asSlice(Records.keyValue(record), Records.keyValueBytes(keyspace.memory(), record))
        .toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void aDamagedFileIsRefused() throws Exception {
    Random random = new Random(1);
    for (int step = 0; step < 500; step++) {
      change(random, 100);
    }
    keyspace.publish();
    Path file = folder.resolve("backup.db");
    try (RetainedVersions versions = new RetainedVersions(keyspace, keyspace.view(), pins)) {
      write(file, versions, () -> {});
    }
    byte[] good = Files.readAllBytes(file);
    byte[] bad = good.clone();
    bad[good.length / 2] ^= 1;
    Files.write(file, bad);
    assertThatThrownBy(() -> new EtcdBackup(file, true))
        .hasMessageContaining("does not match its content");
    Files.write(file, Arrays.copyOf(good, good.length - 40));
    assertThatThrownBy(() -> new EtcdBackup(file, true))
        .hasMessageContaining("a part is missing or was added");
    Files.write(file, Arrays.copyOf(good, good.length - 32));
    assertThatThrownBy(() -> new EtcdBackup(file, true)).hasMessageContaining("no checksum");
    // Without the checksum nothing may be taken for something else, or never end.
    for (int i = 0; i < 300; i++) {
      bad = good.clone();
      for (int hits = random.nextInt(1, 50); hits > 0; hits--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      Files.write(file, bad);
      try (Region other = Region.reserve(64 << 20, 16)) {
        Leases restoredLeases = new Leases(() -> 1);
        Keyspace restored =
            new Keyspace(other, restoredLeases, KeyClasses.plain(), SpaceLimits.NONE, 42, 1);
        new EtcdBackup(file, false).restore(restored, restoredLeases, 0, NOW_MS, Optional.empty());
      } catch (IOException e) {
        assertThat(e.getMessage()).contains("take another backup");
      }
    }
  }

  /** etcd may have been told to take larger values than a store can hold. */
  @Test
  void aValueThatNoSegmentHoldsIsRefusedByItsKey() throws Exception {
    byte[] key = "/registry/secrets/large".getBytes(UTF_8);
    keyspace.put(key, 0, key.length, new byte[8000], 0, 8000, 0);
    keyspace.commit();
    keyspace.publish();
    Path file = folder.resolve("backup.db");
    try (RetainedVersions versions = new RetainedVersions(keyspace, keyspace.view(), pins)) {
      write(file, versions, () -> {});
    }
    for (int shift : new int[] {12, 13, 14}) {
      try (Region other = Region.reserve(64 << 20, shift)) {
        Leases none = new Leases(() -> 1);
        Keyspace restored = new Keyspace(other, none, KeyClasses.plain(), SpaceLimits.NONE, 42, 1);
        EtcdBackup backup = new EtcdBackup(file, true);
        if (shift > 12) {
          assertThat(backup.restore(restored, none, 1000, NOW_MS, Optional.empty())).isOne();
        } else {
          assertThatThrownBy(() -> backup.restore(restored, none, 1000, NOW_MS, Optional.empty()))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("the key /registry/secrets/large, with its value, has 80")
              .hasMessageContaining("at most 4088 bytes. Delete the key in etcd");
        }
      }
    }
  }

  private void change(Random random, int keys) {
    List<String> changed = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      String name = "/registry/pods/p" + random.nextInt(keys);
      byte[] key = name.getBytes(UTF_8);
      if (changed.contains(name)) {
        continue;
      }
      int sub = changed.size();
      if (random.nextInt(3) > 0) {
        byte[] value = "v".repeat(random.nextInt(0, 9000)).getBytes(UTF_8);
        keyspace.put(key, 0, key.length, value, 0, value.length, random.nextInt(2) * LEASE);
        all.add(new Stored(keyspace.revision() + 1, sub, name, new String(value, UTF_8)));
      } else {
        long live = keyspace.newest(key, 0, key.length);
        if (live == 0) {
          continue;
        }
        keyspace.delete(live);
        all.add(new Stored(keyspace.revision() + 1, sub, name, null));
      }
      changed.add(name);
    }
    keyspace.commit();
    if (random.nextInt(60) == 0) {
      long at = keyspace.revision() - random.nextInt(0, 30);
      if (at > keyspace.compactedRevision() && at > 0) {
        keyspace.compact(at);
      }
    }
    if (windowed && random.nextInt(20) == 0) {
      keyspace.startHistory(
          random.nextInt(1, 3), Math.max(1, keyspace.revision() - random.nextInt(0, 30)));
    }
    keyspace.publish();
    cleaner.clean(random.nextInt(1, 64), pins::oldest);
    KeyClasses classes = keyspace.space().classes();
    assertThat(classes.all().stream().mapToLong(KeyClass::bytes).sum())
        .isEqualTo(keyspace.records().recordBytes());
  }

  /** What etcd's backend has of a history that was compacted. */
  private List<Stored> retained(long compacted, long upTo) {
    Map<String, Stored> base = newest(compacted);
    return all.stream()
        .filter(s -> s.revision() <= upTo)
        .filter(s -> s.revision() > compacted || base.get(s.key()) == s)
        .sorted(Comparator.comparingLong(Stored::revision).thenComparingInt(Stored::sub))
        .toList();
  }

  private Map<String, Stored> newest(long at) {
    Map<String, Stored> newest = new HashMap<>();
    all.stream().filter(s -> s.revision() <= at).forEach(s -> newest.put(s.key(), s));
    newest.values().removeIf(s -> s.value() == null);
    return newest;
  }

  private void write(Path file, RetainedVersions versions, Runnable meanwhile) throws Exception {
    List<LeaseState> states = leases.states();
    EtcdSnapshot snapshot = new EtcdSnapshot(keyspace.memory(), versions, epoch, states, NOW_MS);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      snapshot.write(
          bytes -> {
            digest.update(bytes.duplicate());
            out.write(bytes);
            for (int i = 0; i < 20; i++) {
              meanwhile.run();
            }
          });
      assertThat(out.size()).isEqualTo(snapshot.bytes());
      out.write(ByteBuffer.wrap(digest.digest()));
    }
  }

  private static List<Stored> read(Path file) throws IOException {
    List<Stored> found = new ArrayList<>();
    try (BoltReader bolt = new BoltReader(file)) {
      bolt.forEach(
          "key",
          (key, value) -> {
            ByteBuffer revision = key.asByteBuffer();
            byte[] encoded = value.toArray(ValueLayout.JAVA_BYTE);
            KeyValueReader kv = new KeyValueReader();
            kv.read(new ProtoReader().open(encoded, 0, encoded.length));
            boolean tombstone = key.byteSize() == 18;
            found.add(
                new Stored(
                    revision.getLong(0),
                    (int) revision.getLong(9),
                    new String(kv.key.copy(), UTF_8),
                    tombstone ? null : new String(kv.value.copy(), UTF_8)));
          });
    }
    return found;
  }

  private void restore(Path file, List<Stored> backup, long revision) throws IOException {
    try (Region other = Region.reserve(256 << 20, 16)) {
      Leases restoredLeases = new Leases(() -> 1);
      Keyspace restored =
          new Keyspace(other, restoredLeases, KeyClasses.plain(), SpaceLimits.NONE, 43, 1);
      int keys =
          new EtcdBackup(file, true)
              .restore(restored, restoredLeases, 1000, NOW_MS + 5_000, Optional.empty());
      restored.publish();
      Map<String, Stored> expected = new TreeMap<>();
      backup.forEach(s -> expected.put(s.key(), s));
      expected.values().removeIf(s -> s.value() == null);
      assertThat(keys).isEqualTo(expected.size());
      assertThat(restored.revision()).isEqualTo(revision + 1000);
      assertThat(restored.compactedRevision()).isEqualTo(revision + 1000);
      assertThat(restoredLeases.states())
          .containsExactly(new LeaseState(LEASE, 600, NOW_MS + 5_000 + 30_000));
      RangeReader reader = new RangeReader(restored);
      reader.open(restored.view(), KeyRange.all(), restored.revision());
      List<Stored> found = new ArrayList<>();
      for (long record = reader.next(); record != 0; record = reader.next()) {
        found.add(
            new Stored(
                Records.modRevision(restored.memory(), record),
                Records.sub(restored.memory(), record),
                new String(Records.copyKey(restored.memory(), record), UTF_8),
                new String(KeyValues.copyValue(restored.memory(), record), UTF_8)));
      }
      assertThat(found).isEqualTo(List.copyOf(expected.values()));
    }
  }
}
