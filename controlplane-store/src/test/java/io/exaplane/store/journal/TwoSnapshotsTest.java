// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A snapshot that is damaged is done without, as long as the one before and the log are there. */
class TwoSnapshotsTest {
  private static final int VALUE_BYTES = 500;
  private static final Supplier<KeyClasses> BUFFERED =
      () -> new KeyClasses(List.of(), Durability.BUFFERED);

  private final SimulatedStorage disk = new SimulatedStorage(new Random(1));

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** Writes until there was a number of snapshots more, and a little later. */
  private static Seen live(SimulatedStorage disk, Supplier<KeyClasses> classes, int snapshots)
      throws IOException {
    try (Life store = new Life(disk, classes.get(), 0)) {
      for (int written = 0; written < snapshots; ) {
        put(store);
        if (store.journal.wantsSnapshot()) {
          store.journal.planSnapshot().run();
          written++;
        }
      }
      put(store);
      return store.seen();
    }
  }

  private static void put(Life store) throws IOException {
    byte[] key = {'/', (byte) ('a' + store.keyspace.revision() % 3)};
    byte[] value = new byte[VALUE_BYTES];
    store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
    store.keyspace.commit();
    store.journal.commit();
    store.keyspace.publish();
  }

  private static Seen seen(SimulatedStorage disk, Supplier<KeyClasses> classes) throws IOException {
    try (Life store = new Life(disk, classes.get(), 0)) {
      return store.seen();
    }
  }

  private void damage(String file, Random random) {
    disk.damage(file, random.nextInt(disk.bytes(file).length));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theOlderOneAndTheLogTakeThePlaceOfTheNewest(long seed) throws Exception {
    Random random = new Random(seed);
    int written = random.nextInt(1, 4);
    Seen last = live(disk, KeyClasses::plain, written);
    List<String> snapshots = Snapshots.names(disk);
    assertThat(snapshots).hasSize(Math.min(written, 2));
    damage(snapshots.getLast(), random);
    boolean isHarmless = isWhole(snapshots.getLast());
    assertThat(seen(disk, KeyClasses::plain)).isEqualTo(last);
    // Another one takes the place of the damaged one, and the log between stays until then.
    Seen later = live(disk, KeyClasses::plain, 1);
    if (!isHarmless) {
      assertThat(Snapshots.names(disk)).doesNotContain(snapshots.getLast());
    }
    assertThat(seen(disk, KeyClasses::plain)).isEqualTo(later);
    damage(Snapshots.names(disk).getLast(), random);
    assertThat(seen(disk, KeyClasses::plain)).isEqualTo(later);
  }

  /** The bytes that fill up a frame do not count. */
  private boolean isWhole(String snapshot) throws IOException {
    try {
      Snapshots.requireReadable(disk, snapshot);
      return true;
    } catch (CorruptJournalException e) {
      return false;
    }
  }

  @Test
  void withoutTheLogItCanNotBeDoneWithout() throws Exception {
    live(disk, KeyClasses::plain, 2);
    List<String> snapshots = Snapshots.names(disk);
    disk.damage(snapshots.getLast(), 100);
    disk.damage(LogReader.segments(disk).getFirst(), MarkedSegment.START + 40);
    assertThatThrownBy(() -> seen(disk, KeyClasses::plain))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining(snapshots.getLast() + " is damaged at byte")
        .hasMessageContaining(LogReader.segments(disk).getFirst() + " is damaged at byte");
  }

  @Test
  void bothCanNotBeDoneWithout() throws Exception {
    live(disk, KeyClasses::plain, 3);
    Snapshots.names(disk).forEach(name -> disk.damage(name, 100));
    assertThatThrownBy(() -> seen(disk, KeyClasses::plain))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("no data of the store can be kept");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void oneThatCanNotBeReadBackTakesNoPlace(long seed) throws Exception {
    Seen last;
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      put(store);
      store.journal.planSnapshot().run();
      put(store);
      String first = Snapshots.names(disk).getFirst();
      disk.damageNew("snapshot-");
      store.journal.planSnapshot().run();
      put(store);
      assertThat(Snapshots.names(disk)).contains(first);
      last = store.seen();
    }
    assertThat(seen(disk, KeyClasses::plain)).isEqualTo(last);
  }

  /** Who has no room for both keeps the newest, and writes go on. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theOlderOneGoesFirstWhenTheDiskIsFull(long seed) throws Exception {
    live(disk, KeyClasses::plain, 2);
    List<String> before = Snapshots.names(disk);
    Seen last;
    try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
      disk.refuse(1);
      if (seed % 2 == 0) {
        store.journal.planSnapshot().run();
      }
      put(store);
      assertThat(Snapshots.names(disk)).isEqualTo(List.of(before.getLast()));
      last = store.seen();
    }
    assertThat(seen(disk, KeyClasses::plain)).isEqualTo(last);
  }

  /** What is not in the log may be missing, so that all that was shown is read anew. */
  @Test
  void aWeakerStoreGoesOnAboveWhatItHadShown() throws Exception {
    Seen last = live(disk, BUFFERED, 2);
    try (Life store = new Life(disk, BUFFERED.get(), 0)) {
      put(store);
      store.journal.close();
      last = store.seen();
    }
    disk.damage(Snapshots.names(disk).getLast(), 100);
    Seen after = seen(disk, BUFFERED);
    assertThat(after.keys()).isEqualTo(last.keys());
    assertThat(after.revision()).isGreaterThan(last.revision() + 1);
    assertThat(after.compacted()).isEqualTo(after.revision());
  }

  @Test
  void aStoreThatBecameDurableKeepsNothingOfBefore() throws Exception {
    live(disk, BUFFERED, 2);
    seen(disk, KeyClasses::plain);
    assertThat(Snapshots.names(disk)).hasSize(1);
  }
}
