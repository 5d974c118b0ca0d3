// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.index.KeyTable;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.lease.LeaseKeys;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads that read while the writer writes, publishes, compacts, moves windows and empties
 * segments. They compute what they must see; see {@link SharedReader}. Small segments, small tables
 * and many deletions make memory, slots and places in tables change hands all the time.
 */
class SharedKeyspaceTest {
  private static final int SMALL_SEGMENT_SHIFT = 12;
  private static final long REGION_BYTES = 256L << 20;
  private static final int READERS = 3;

  /** More than fill a chunk of the log of events. */
  private static final int REVISIONS = 18_000;

  private static final long PASSES_OF_EACH = 100;
  private static final int WINDOW = 1;
  private static final LeaseKeys NO_LEASES =
      new LeaseKeys() {
        @Override
        public void attach(long lease, int slot) {}

        @Override
        public void detach(long lease, int slot) {}
      };

  private final Region region = Region.reserve(REGION_BYTES, SMALL_SEGMENT_SHIFT);
  private final RevisionPins pins = new RevisionPins();
  private final Keyspace keyspace =
      new Keyspace(
          region,
          NO_LEASES,
          new KeyClasses(
              List.of(new PrefixRule(ScriptedHistory.OFTEN, 0, Durability.FSYNC, 1000)),
              Durability.FSYNC),
          SpaceLimits.NONE,
          42,
          READERS);
  private volatile boolean over;

  @AfterEach
  void close() {
    region.close();
  }

  static LongStream seeds() {
    return Seeds.of(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(120)
  void whoReadsBesideTheWriterSeesWholeRevisions(long seed) throws Exception {
    // An even and an odd seed: tables grow and lose keys, or chunks of slots are added.
    ScriptedHistory history = new ScriptedHistory(seed, 48, seed % 2 == 0 ? 1_009 : 20_011);
    List<SharedReader> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> done = new ArrayList<>();
      try {
        for (int i = 0; i < READERS; i++) {
          SharedReader reader =
              new SharedReader(keyspace, pins, history, i == 0, new Random(seed * READERS + i));
          readers.add(reader);
          done.add(threads.submit(readUntilOver(reader)));
        }
        write(history, readers, done, new Random(seed));
      } finally {
        over = true;
      }
      for (Future<?> each : done) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    checkAccounts(history);
  }

  private Callable<Void> readUntilOver(SharedReader reader) {
    return () -> {
      while (!over) {
        reader.pass();
      }
      reader.close();
      return null;
    };
  }

  private void write(
      ScriptedHistory history, List<SharedReader> readers, List<Future<?>> done, Random random) {
    long revision = Keyspace.FIRST_REVISION;
    while (done.stream().noneMatch(Future::isDone)
        && (revision < REVISIONS
            || readers.stream().anyMatch(reader -> reader.passes() < PASSES_OF_EACH))) {
      for (int i = random.nextInt(1, 9); i > 0; i--) {
        apply(history, ++revision);
      }
      if (random.nextInt(4) == 0 && revision > 100) {
        keyspace.startHistory(WINDOW, revision - random.nextInt(60));
      }
      if (random.nextInt(10) == 0) {
        long at = revision - random.nextInt(200);
        if (at > keyspace.compactedRevision()) {
          keyspace.compact(at);
        }
      }
      keyspace.publish();
      keyspace
          .cleaner()
          .clean(random.nextInt(1, 256), () -> SharedReader.oldestNeeded(pins, readers));
    }
  }

  private void apply(ScriptedHistory history, long revision) {
    for (int sub = 0; sub < ScriptedHistory.EVENTS_PER_REVISION; sub++) {
      int id = history.changed(revision, sub);
      byte[] key = history.key(id);
      if (history.deletes(id, revision)) {
        keyspace.delete(keyspace.newest(key, 0, key.length));
      } else {
        byte[] value = history.value(id, revision);
        keyspace.put(key, 0, key.length, value, 0, value.length, 0);
      }
    }
    keyspace.commit();
  }

  /** When nobody reads any more, exactly the live versions are left, and are counted. */
  private void checkAccounts(ScriptedHistory history) {
    long revision = keyspace.revision();
    if (keyspace.compactedRevision() < revision) {
      keyspace.compact(revision);
    }
    keyspace.publish();
    while (keyspace.cleaner().clean(1 << 20, () -> Long.MAX_VALUE)) {}
    assertThat(keyspace.compactAll()).isTrue();
    keyspace.publish();
    for (int i = 0; i < 3; i++) {
      while (keyspace.cleaner().clean(1 << 20, () -> Long.MAX_VALUE)) {}
    }

    long bytes = 0;
    int live = 0;
    for (int id = 0; id < history.size(); id++) {
      byte[] key = history.key(id);
      if (history.version(id, revision) != 0) {
        live++;
        bytes += Records.size(keyspace.memory, keyspace.newest(key, 0, key.length));
      } else {
        assertThat(keyspace.table.find(key, 0, key.length)).isEqualTo(KeyTable.NOT_FOUND);
      }
    }
    assertThat(keyspace.slots.taken()).isEqualTo(live);
    assertThat(keyspace.records.recordBytes()).isEqualTo(bytes);
    assertThat(keyspace.space().liveBytes()).isEqualTo(bytes);
    assertThat(keyspace.space().classes().all().stream().mapToLong(KeyClass::bytes).sum())
        .isEqualTo(bytes);
    assertThat(keyspace.keptEvents()).isZero();
    assertThat(keyspace.records.takenBytes()).isLessThan(2 * bytes + 10 * region.segmentBytes());
  }
}
