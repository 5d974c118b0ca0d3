// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A damaged folder, repaired: what came before the damage is there, and nothing is used twice. */
class RepairTest {
  private static final int BATCHES = 14;
  private static final int DAMAGES = 30;

  static LongStream seeds() {
    return Seeds.of(6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsRefusedStartsAfterARepair(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, KeyClasses::plain).write(BATCHES, false);
    Random random = new Random(seed);
    int repaired = 0;
    for (int i = 0; i < DAMAGES; i++) {
      SimulatedStorage disk = history.disk.copy();
      String file = damage(disk, random);
      byte[] damaged = disk.bytes(file).clone();
      if (isRefused(disk)) {
        List<String> told = repair(disk);
        assertThat(told.getFirst()).contains(file).contains("is damaged at byte");
        assertThat(disk.bytes(file + Repair.ASIDE)).isEqualTo(damaged);
        assertPrefix(history, disk, told, Segment.isSegment(file));
        assertThat(repair(disk)).as("a second time").isEmpty();
        repaired++;
      }
    }
    assertThat(repaired).isPositive();
  }

  /** Flips a bit anywhere, or cuts a file there. */
  private static String damage(SimulatedStorage disk, Random random) {
    List<String> files = disk.list();
    String file = files.get(random.nextInt(files.size()));
    int at = random.nextInt(disk.bytes(file).length);
    if (random.nextBoolean()) {
      disk.damage(file, at);
    } else {
      disk.replace(file, Arrays.copyOf(disk.bytes(file), at));
    }
    return file;
  }

  /** What is there was once acknowledged, and no revision since then is used again. */
  private static void assertPrefix(
      WrittenHistory history, SimulatedStorage disk, List<String> told, boolean isLog)
      throws IOException {
    for (int start = 0; start < 2; start++) {
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        Seen seen = store.seen();
        assertThat(history.acknowledged.stream().map(Seen::keys)).contains(seen.keys());
        boolean isAll = seen.keys().equals(history.last().keys());
        assertThat(told.toString())
            .containsPattern(isAll || !isLog ? "" : "Dropped: frame|All writes");
        if (seen.revision() != history.last().revision()) {
          assertThat(seen.revision()).isGreaterThan(history.last().revision() + 1);
          assertThat(seen.compacted()).isEqualTo(seen.revision());
        }
        assertThat(store.journal.recovered()).isEqualTo(Recovered.REPLAYED);
      }
    }
  }

  /** Repairs stop at any step and are begun again: no state is taken for whole that is not. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aRepairMayBeInterrupted(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, KeyClasses::plain).write(BATCHES, false);
    String last = LogReader.segments(history.disk).getLast(); // no snapshot has its frames
    SimulatedStorage damaged = history.disk.copy();
    damaged.damage(last, MarkedSegment.START + LogFrames.HEADER_BYTES);
    assertThat(isRefused(damaged)).isTrue();
    boolean isDone = false;
    for (int steps = 0; !isDone; steps++) {
      SimulatedStorage disk = damaged.copy();
      disk.crashAfter(steps);
      List<String> told = List.of();
      try {
        told = repair(disk);
        isDone = true;
      } catch (SimulatedStorage.Crash crash) {
        disk.restart(true);
      }
      if (isRefused(disk)) {
        told = repair(disk);
      }
      assertPrefix(history, disk, told, !told.isEmpty());
    }
  }

  /** Whatever a changed frame seems to say of revisions, they go on above what was shown. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aChangedRevisionLeadsNowhere(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, KeyClasses::plain).write(4, false);
    long most = history.last().revision() + 2 * Repair.SKIPPED_REVISIONS;
    String segment = LogReader.segments(history.disk).getLast();
    for (int at = MarkedSegment.START; at < MarkedSegment.START + 400; at += 3) {
      SimulatedStorage disk = history.disk.copy();
      disk.bytes(segment)[at] ^= (byte) 0xFF;
      if (isRefused(disk)) {
        repair(disk);
        try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
          assertThat(store.keyspace.revision()).isBetween(history.last().revision() + 2, most);
        }
      }
    }
  }

  @Test
  void itNamesWhatItDrops() throws Exception {
    SimulatedStorage disk = new SimulatedStorage(new Random(1));
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      for (String key : List.of("/one", "/two", "/three")) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        store.keyspace.put(bytes, 0, bytes.length, bytes, 0, bytes.length, 0);
        store.keyspace.commit();
        store.journal.commit();
      }
    }
    String segment = LogReader.segments(disk).getFirst();
    String content = new String(disk.bytes(segment), StandardCharsets.ISO_8859_1);
    disk.damage(segment, content.lastIndexOf("/two"));
    assertThat(repair(disk))
        .anySatisfy(line -> assertThat(line).contains("up to revision 2 are kept"))
        .anySatisfy(line -> assertThat(line).contains("Dropped: frame 1 at byte").contains("/two"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("Dropped: frame 2 at byte")
                    .contains("revision 4, keys /three"))
        .anySatisfy(line -> assertThat(line).contains("New revisions begin above 1000000004"))
        .anySatisfy(line -> assertThat(line).contains(segment + ".damaged"));
  }

  @Test
  void nothingIsChangedWhereNothingCanBeKept() throws Exception {
    WrittenHistory history = new WrittenHistory(1, KeyClasses::plain);
    history.disk.replace("snapshot-00000000000000000009", new byte[40]);
    List<String> before = history.disk.list();
    assertThatThrownBy(() -> repair(history.disk))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("no data of the store can be kept");
    assertThat(history.disk.list()).isEqualTo(before);
  }

  private static boolean isRefused(SimulatedStorage disk) throws IOException {
    try (Life _ = new Life(disk, KeyClasses.plain(), 0)) {
      return false;
    } catch (CorruptJournalException e) {
      return true;
    }
  }

  /** The lines that it tells, none if nothing is damaged. */
  private static List<String> repair(SimulatedStorage disk) throws IOException {
    return repair(disk, KeyClasses::plain);
  }

  static List<String> repair(SimulatedStorage disk, Supplier<KeyClasses> classes)
      throws IOException {
    List<String> told = new ArrayList<>();
    boolean repaired =
        Attempts.start(
            () -> Life.empty(classes.get()),
            (target, attempts) -> {
              boolean any =
                  new Repair(disk, target.keyspace(), target.leases(), attempts, told::add).run();
              target.region().close();
              return any;
            });
    assertThat(repaired).isEqualTo(!told.isEmpty());
    return told;
  }
}
