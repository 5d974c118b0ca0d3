// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of two stores in one folder: found, told, and put right by a repair. */
class OwnersTest {
  private static final int BATCHES = 14;

  static LongStream seeds() {
    return Seeds.of(6);
  }

  private static WrittenHistory written(long seed) throws IOException {
    WrittenHistory history = new WrittenHistory(seed, () -> classes(seed));
    MemberIds.of(history.disk, new Random(seed)::nextLong);
    return history.write(BATCHES, seed % 2 == 0);
  }

  /** Every third store keeps its revisions reserved, too. */
  private static KeyClasses classes(long seed) {
    return seed % 3 == 0
        ? new KeyClasses(List.of(), Durability.BUFFERED)
        : new KeyClasses(List.of(), Durability.FSYNC);
  }

  private static String refusal(SimulatedStorage disk, long seed) throws IOException {
    try (Life _ = new Life(disk, classes(seed), 0)) {
      return "started";
    } catch (CorruptJournalException e) {
      return e.getMessage();
    }
  }

  /** Each file that both have, and each that only the other one has. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aFileOfAnotherStoreIsFound(long seed) throws Exception {
    WrittenHistory mine = written(seed);
    for (long other = seed + 100; other < seed + 102; other++) {
      WrittenHistory theirs = new WrittenHistory(other, () -> classes(seed));
      MemberIds.of(theirs.disk, new Random(other)::nextLong);
      theirs.write(BATCHES, true);
      for (String file : theirs.disk.list()) {
        SimulatedStorage disk = mine.disk.copy();
        disk.replace(file, theirs.disk.bytes(file));
        List<String> files = disk.list();
        assertThat(refusal(disk, seed))
            .as(file)
            .contains("the file belongs to another store")
            .contains(file)
            .contains("--repair");
        assertThat(disk.list()).as("nothing is changed").isEqualTo(files);
        List<String> told = RepairTest.repair(disk, () -> classes(seed));
        assertThat(told.getFirst()).startsWith(file + ": the file belongs to another store");
        assertThat(disk.bytes(file + Repair.ASIDE)).isEqualTo(theirs.disk.bytes(file));
        assertThat(MemberIds.of(disk, () -> 1).clusterId())
            .as("the store is the same after a repair")
            .isEqualTo(MemberIds.kept(mine.disk).clusterId());
        try (Life store = new Life(disk, classes(seed), 0)) {
          if (classes(seed).weakest() == Durability.FSYNC) { // else any frame may be missing
            assertThat(mine.acknowledged.stream().map(Seen::keys)).contains(store.seen().keys());
          }
          assertThat(store.seen().revision()).isGreaterThanOrEqualTo(mine.last().revision());
        }
      }
    }
  }

  /** The first file of ids is lost: clients know the store all the same. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void idsThatAreLostAreInTheOtherFiles(long seed) throws Exception {
    WrittenHistory history = written(seed);
    MemberIds ids = MemberIds.kept(history.disk);
    for (boolean isDamaged : new boolean[] {false, true}) {
      SimulatedStorage disk = history.disk.copy();
      if (isDamaged) {
        disk.damage(MemberIds.FILE, 20);
        assertThat(refusal(disk, seed)).contains("member is damaged at byte 0");
        RepairTest.repair(disk, () -> classes(seed));
      } else {
        disk.delete(MemberIds.FILE);
      }
      assertThat(MemberIds.of(disk, () -> 1)).isEqualTo(ids);
      try (Life store = new Life(disk, classes(seed), 0)) {
        assertThat(store.seen().keys()).isEqualTo(history.last().keys());
      }
    }
  }

  @Test
  void idsThatAreLostAreNotGuessedAmongTwo() throws Exception {
    SimulatedStorage disk = written(1).disk.copy();
    disk.delete(MemberIds.FILE);
    disk.replace("log-acknowledged", written(2).disk.bytes("log-acknowledged"));
    assertThatThrownBy(() -> MemberIds.of(disk, () -> 1))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("belongs to another store")
        .hasMessageContaining("log-acknowledged")
        .hasMessageContaining("--repair");
    assertThat(RepairTest.repair(disk, KeyClasses::plain).getFirst())
        .startsWith("log-acknowledged: the file belongs to another store");
  }

  /** A folder of a store that named nobody opens; all files that it writes from then on do. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void foldersOfBeforeOpenAndAreNamedFromThenOn(long seed) throws Exception {
    WrittenHistory history = new WrittenHistory(seed, () -> classes(seed)).write(BATCHES, true);
    SimulatedStorage disk = history.disk.copy();
    List<String> before = disk.list();
    List<byte[]> bytes = new ArrayList<>();
    for (String file : before) {
      bytes.add(disk.bytes(file).clone());
    }
    MemberIds ids = MemberIds.of(disk, new Random(seed)::nextLong);
    try (Life store = new Life(disk, classes(seed), 0)) {
      assertThat(store.seen().keys()).isEqualTo(history.last().keys());
      byte[] key = {'/', 'a'};
      store.keyspace.put(key, 0, key.length, key, 0, key.length, 0);
      store.keyspace.commit();
      store.journal.commit();
      store.keyspace.publish();
      store.journal.close();
    }
    assertThat(new Owners(disk).require()).isEqualTo(ids);
    for (String file : disk.list()) {
      boolean isUntouched =
          before.contains(file)
              && ByteBuffer.wrap(bytes.get(before.indexOf(file)))
                  .equals(ByteBuffer.wrap(disk.bytes(file)));
      if (!isUntouched && !file.equals(MemberIds.FILE)) {
        SimulatedStorage alone = new SimulatedStorage(new Random(1));
        alone.replace(file, disk.bytes(file));
        assertThat(new Owners(alone).named().clusterId()).as(file).isEqualTo(ids.clusterId());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wal-00000000000000000007-3",
        "wal-00000000000000000007-2.bak",
        "wal-7",
        "wal-",
        "snapshot-00000000000000000007.gz",
        "snapshot-x"
      })
  void aNameThatNoStoreGivesIsRefused(String name) throws Exception {
    SimulatedStorage disk = written(1).disk.copy();
    disk.replace(name, new byte[100]);
    assertThat(refusal(disk, 1)).startsWith(name + ": this version of the store gives no file");
    assertThatThrownBy(() -> RepairTest.repair(disk, KeyClasses::plain))
        .hasMessageStartingWith(name + ": this version of the store gives no file");
  }
}
