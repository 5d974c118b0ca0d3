// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.ModelKeyspace.Change;
import io.exaplane.store.core.ModelKeyspace.Version;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.core.lease.LeaseKeys;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.RangeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The keyspace against a model that keeps everything, in seeded random histories. */
class KeyspaceTest {
  private static final int SMALL_SEGMENT_SHIFT = 12;
  private static final String WINDOWED = "/registry/pods/";
  private static final int WINDOW = 1;
  private static final LeaseKeys NO_LEASES =
      new LeaseKeys() {
        @Override
        public void attach(long lease, int slot) {}

        @Override
        public void detach(long lease, int slot) {}
      };

  private final Region region = Region.reserve(64 << 20, SMALL_SEGMENT_SHIFT);
  private final Keyspace keyspace =
      new Keyspace(
          region,
          NO_LEASES,
          new KeyClasses(
              List.of(new PrefixRule(WINDOWED, 0, Durability.FSYNC, 1000)), Durability.FSYNC),
          SpaceLimits.NONE,
          42,
          2);
  private final Cleaner cleaner = keyspace.cleaner();
  private final RangeReader reader = new RangeReader(keyspace);
  private final ModelKeyspace model = new ModelKeyspace();

  @AfterEach
  void close() {
    region.close();
  }

  static LongStream seeds() {
    return Seeds.of(150);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesAsTheModel(long seed) {
    Random random = new Random(seed);
    int keys = 1 << random.nextInt(1, 11);
    int steps = random.nextInt(200, 3000);
    int deletions = random.nextInt(0, 60);
    boolean windowed = random.nextBoolean();
    for (int step = 0; step < steps; step++) {
      change(random, keys, deletions);
      if (random.nextInt(3) == 0) {
        keyspace.publish();
      }
      if (random.nextInt(40) == 0) {
        compact(random);
      }
      if (windowed && random.nextInt(20) == 0) {
        keyspace.startHistory(WINDOW, Math.max(0, keyspace.revision() - random.nextInt(0, 30)));
      }
      if (random.nextInt(4) == 0) {
        keyspace.publish();
        cleaner.clean(random.nextInt(1, 64), () -> Long.MAX_VALUE);
      }
      if (random.nextInt(10) == 0) {
        check(random, keys);
      }
    }
    keyspace.publish();
    checkChanges();
  }

  private void change(Random random, int keys, int deletions) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      String key = key(random, keys);
      byte[] bytes = key.getBytes(UTF_8);
      if (model.changesFrom(model.revision + 1).stream().anyMatch(c -> c.key().equals(key))) {
        continue;
      }
      if (random.nextInt(100) < deletions) {
        long live = keyspace.newest(bytes, 0, bytes.length);
        assertThat(live != 0).isEqualTo(model.delete(key));
        if (live != 0) {
          keyspace.delete(live);
        }
      } else {
        String value = "v".repeat(random.nextInt(0, 200));
        byte[] valueBytes = value.getBytes(UTF_8);
        keyspace.put(bytes, 0, bytes.length, valueBytes, 0, valueBytes.length, 0);
        model.put(key, value, 0);
      }
    }
    model.commit();
    assertThat(keyspace.commit()).isEqualTo(model.revision);
  }

  private static String key(Random random, int keys) {
    int number = random.nextInt(keys);
    return "/registry/%s/%s%d".formatted("pods".repeat(number % 3), "n".repeat(number % 9), number);
  }

  private void compact(Random random) {
    View view = keyspace.publish();
    long at = view.revision() - random.nextInt(0, 30);
    if (at > keyspace.compactedRevision() && at > 0) {
      keyspace.compact(at);
      model.compact(at);
      keyspace.publish();
    } else {
      assertThatThrownBy(() -> keyspace.compact(keyspace.compactedRevision()))
          .isSameAs(StoreException.COMPACTED);
    }
  }

  private void check(Random random, int keys) {
    View view = keyspace.view();
    long oldest = Math.max(1, view.compactedRevision());
    long revision =
        random.nextBoolean()
            ? view.revision()
            : oldest + random.nextLong(view.revision() - oldest + 1);
    String start = key(random, keys);
    String end =
        switch (random.nextInt(4)) {
          case 0 -> "";
          case 1 -> "\0";
          default -> key(random, keys);
        };
    KeyRange range = KeyRange.of(start.getBytes(UTF_8), end.getBytes(UTF_8));
    RangeRequest request = new RangeRequest();
    request.key.set(range.start(), 0, start.length());
    request.rangeEnd.set(end.getBytes(UTF_8), 0, end.length());
    request.revision = revision;
    if (revision < view.starts().of(WINDOW) && touchesWindowed(start, end)) {
      assertThatThrownBy(() -> RangeReader.resolve(view, request))
          .isSameAs(StoreException.COMPACTED);
      return;
    }
    assertThat(RangeReader.resolve(view, request)).isEqualTo(revision);
    List<Version> expected = expected(model.at(revision), start, end);
    assertThat(read(view, range, revision)).isEqualTo(expected);
    assertThat(reader.count(view, range, revision)).isEqualTo(expected.size());
  }

  private static boolean touchesWindowed(String start, String end) {
    if (end.isEmpty()) {
      return start.startsWith(WINDOWED);
    }
    return start.compareTo("/registry/pods0") < 0
        && (end.equals("\0") || end.compareTo(WINDOWED) > 0);
  }

  private static List<Version> expected(
      NavigableMap<String, Version> state, String start, String end) {
    if (end.isEmpty()) {
      return state.containsKey(start) ? List.of(state.get(start)) : List.of();
    }
    if (end.equals("\0")) {
      return List.copyOf(state.tailMap(start, true).values());
    }
    return start.compareTo(end) >= 0
        ? List.of()
        : List.copyOf(state.subMap(start, true, end, false).values());
  }

  private List<Version> read(View view, KeyRange range, long revision) {
    List<Version> found = new ArrayList<>();
    reader.open(view, range, RangeReader.resolve(view, revision));
    for (long record = reader.next(); record != 0; record = reader.next()) {
      found.add(version(record));
    }
    return found;
  }

  private Version version(long record) {
    var memory = keyspace.memory();
    return new Version(
        new String(Records.copyKey(memory, record), UTF_8),
        new String(KeyValues.copyValue(memory, record), UTF_8),
        KeyValues.createRevision(memory, record),
        Records.modRevision(memory, record),
        KeyValues.version(memory, record),
        KeyValues.lease(memory, record));
  }

  /** Every change since the compaction, in order, with what was there before. */
  private void checkChanges() {
    View view = keyspace.view();
    List<Change> found = new ArrayList<>();
    long from = Math.max(0, view.compactedRevision());
    for (long at = reader.firstEventFrom(view, from); at < view.events(); at++) {
      long record = reader.event(at);
      if (!reader.isKept(view.starts(), record)) {
        continue;
      }
      long before = Records.previous(keyspace.memory(), record);
      found.add(
          new Change(
              Records.modRevision(keyspace.memory(), record),
              new String(Records.copyKey(keyspace.memory(), record), UTF_8),
              Records.isTombstone(keyspace.memory(), record) ? null : version(record),
              before == 0 || Records.isTombstone(keyspace.memory(), before)
                  ? null
                  : version(before)));
    }
    long start = view.starts().of(WINDOW);
    assertThat(found)
        .isEqualTo(
            model.changesFrom(from).stream()
                .filter(change -> change.revision() >= start || !change.key().startsWith(WINDOWED))
                .toList());
  }

  /** Each size around that of a segment, in a segment that is new or has records already. */
  @Test
  void aVersionIsWholeInOneSegmentOrRefused() {
    int segment = 1 << SMALL_SEGMENT_SHIFT;
    int refused = 0;
    for (int bytes = segment - 100; bytes <= segment + 16; bytes++) {
      String value = "v".repeat(bytes);
      byte[] valueBytes = value.getBytes(UTF_8);
      byte[] key = (WINDOWED + bytes).getBytes(UTF_8);
      try {
        keyspace.put(key, 0, key.length, valueBytes, 0, valueBytes.length, 0);
        model.put(WINDOWED + bytes, value, 0);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("is larger than " + (segment - Records.ALIGNMENT));
        refused++;
      }
      String small = "/small/" + bytes;
      byte[] smallKey = small.getBytes(UTF_8);
      keyspace.put(smallKey, 0, smallKey.length, smallKey, 0, smallKey.length, 0);
      model.put(small, small, 0);
      model.commit();
      assertThat(keyspace.commit()).isEqualTo(model.revision);
    }
    assertThat(refused).isBetween(17, 90);
    View view = keyspace.publish();
    assertThat(read(view, KeyRange.all(), view.revision()))
        .isEqualTo(expected(model.at(view.revision()), "", "\0"));
    checkChanges();
  }

  @Test
  void memoryComesBackWhenAllIsOverwritten() {
    byte[] value = new byte[1000];
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 50; i++) {
        byte[] key = ("/registry/leases/" + i).getBytes(UTF_8);
        keyspace.put(key, 0, key.length, value, 0, value.length, 0);
        keyspace.commit();
      }
      keyspace.compact(keyspace.revision());
      keyspace.publish();
      while (cleaner.clean(100, () -> Long.MAX_VALUE)) {}
    }
    while (cleaner.clean(100, () -> Long.MAX_VALUE)) {}
    // 50 versions that live and one each that the newest event still shows.
    assertThat(keyspace.records().recordBytes()).isLessThan(52 * 1100);
    assertThat(keyspace.records().takenBytes()).isLessThan(52 * 1100 * 2);
  }

  @Test
  void whatIsOlderThanItsWindowTakesNoMemoryWhileOthersKeepTheirHistory() {
    byte[] value = new byte[1000];
    byte[] node = "/registry/minions/a".getBytes(UTF_8);
    for (int round = 0; round < 200; round++) {
      keyspace.put(node, 0, node.length, value, 0, 10, 0);
      keyspace.commit();
      for (int i = 0; i < 50; i++) {
        byte[] key = (WINDOWED + i).getBytes(UTF_8);
        keyspace.put(key, 0, key.length, value, 0, value.length, 0);
        keyspace.commit();
      }
      keyspace.startHistory(WINDOW, keyspace.revision());
      keyspace.publish();
      while (cleaner.clean(100, () -> Long.MAX_VALUE)) {}
    }
    while (cleaner.clean(100, () -> Long.MAX_VALUE)) {}
    int nodes = 200 * 100;
    assertThat(keyspace.records().recordBytes()).isLessThan(52 * 1100 + nodes);
    assertThat(keyspace.records().takenBytes()).isLessThan(2 * (52 * 1100 + nodes));
    View view = keyspace.view();
    assertThat(read(view, KeyRange.of(node, new byte[0]), 100)).hasSize(1);
    assertThat(reader.count(view, KeyRange.of(node, new byte[0]), 100)).isOne();
  }

  @Test
  void deletedKeysLeaveNothingBehind() {
    for (int i = 0; i < 10_000; i++) {
      byte[] key = ("/registry/events/" + i).getBytes(UTF_8);
      long record = keyspace.put(key, 0, key.length, key, 0, key.length, 0);
      keyspace.commit();
      keyspace.delete(record);
      keyspace.commit();
    }
    byte[] last = {'z'};
    keyspace.put(last, 0, 1, last, 0, 1, 0);
    keyspace.commit();
    keyspace.compact(keyspace.revision());
    keyspace.publish();
    while (cleaner.clean(100, () -> Long.MAX_VALUE)) {}
    cleaner.clean(100, () -> Long.MAX_VALUE);
    assertThat(keyspace.slots.taken()).isEqualTo(1);
    assertThat(keyspace.tree.current().live()).isEqualTo(1);
    assertThat(keyspace.records().takenBytes()).isLessThan(3 << SMALL_SEGMENT_SHIFT);
  }

  @Test
  void aReaderKeepsWhatItMaySee() {
    byte[] key = {'k'};
    byte[] old = "old".getBytes(UTF_8);
    keyspace.put(key, 0, 1, old, 0, 3, 0);
    keyspace.commit();
    View before = keyspace.publish();
    var inside = keyspace.reclaimer().newReader();
    inside.enter();
    for (int i = 0; i < 1000; i++) {
      keyspace.put(key, 0, 1, old, 0, 0, 0);
      keyspace.commit();
    }
    keyspace.compact(keyspace.revision());
    keyspace.publish();
    for (int i = 0; i < 50; i++) {
      cleaner.clean(1000, () -> Long.MAX_VALUE);
    }
    assertThat(read(before, KeyRange.of(key, new byte[0]), before.revision()))
        .extracting(Version::value)
        .containsExactly("old");
    inside.leave();
    while (cleaner.clean(1000, () -> Long.MAX_VALUE)) {}
    assertThatThrownBy(() -> RangeReader.resolve(keyspace.view(), before.revision()))
        .isSameAs(StoreException.COMPACTED);
    assertThat(keyspace.records().takenBytes()).isLessThan(3 << SMALL_SEGMENT_SHIFT);
  }
}
