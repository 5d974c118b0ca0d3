// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.HistoryStarts;
import io.exaplane.store.core.execute.EtcdModel;
import io.exaplane.store.core.execute.RandomRequests;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that stop at any step of their journal and start again, against the model. */
class JournalSimulationTest {
  private static final String WINDOWED = "/a";

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void inFsyncModeNothingThatWasAcknowledgedIsLost(long seed) throws Exception {
    Random random = new Random(seed);
    lives(new SimulatedStorage(random), random, KeyClasses::plain, _ -> {}, Life::assertSame);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void historyWindowsOutliveRestarts(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    EtcdModel acknowledged =
        lives(
            storage,
            random,
            () -> withWindow(WINDOWED),
            store -> store.startHistory(store.keyspace.revision() - random.nextInt(100)),
            (store, model) -> {
              assertThat(store.isSame(model)).isTrue();
              store.assertSamePast(model, WINDOWED);
              store.assertOrderIsWhole();
            });
    try (Life store = new Life(storage, withWindow("/b"), 0)) {
      long start = store.keyspace.compactedRevision();
      assertThat(start).isGreaterThanOrEqualTo(acknowledged.compacted);
      assertThat(store.keyspace.historyStarts().newest()).isEqualTo(HistoryStarts.NOT_YET);
      if (start > acknowledged.compacted) {
        acknowledged.compact(start); // the window was another's: it is for all now
      }
      store.assertSame(acknowledged);
    }
  }

  /**
   * Six lives of a store, each ended at some step of its disk.
   *
   * @param classes of a life, which counts in them from nothing
   * @param more done to it beside requests
   * @param check of what there is after a restart against what was acknowledged
   * @return what was acknowledged
   */
  private static EtcdModel lives(
      SimulatedStorage storage,
      Random random,
      Supplier<KeyClasses> classes,
      Consumer<Life> more,
      BiConsumer<Life, EtcdModel> check)
      throws IOException {
    RandomRequests requests = new RandomRequests(random, random.nextInt(2, 30));
    EtcdModel acknowledged = new EtcdModel();
    for (int life = 0; life < 6; life++) {
      EtcdModel inFlight = acknowledged;
      try (Life store = new Life(storage, classes.get(), 0)) {
        acknowledged = recovered(store, acknowledged, inFlight);
        storage.crashAfter(random.nextInt(800));
        while (true) {
          inFlight = acknowledged.copy();
          batch(random, requests, store, inFlight);
          more.accept(store);
          store.commit(random);
          acknowledged = inFlight;
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
        try (Life store = new Life(storage, classes.get(), 0)) {
          acknowledged = recovered(store, acknowledged, inFlight);
          check.accept(store, acknowledged);
        }
      }
    }
    return acknowledged;
  }

  private static KeyClasses withWindow(String prefix) {
    return new KeyClasses(
        List.of(new PrefixRule(prefix, 0, Durability.FSYNC, 1000)), Durability.FSYNC);
  }

  /** Of the batch that was under way all is there or nothing. */
  private static EtcdModel recovered(Life store, EtcdModel acknowledged, EtcdModel inFlight) {
    return store.isSame(inFlight) ? inFlight : acknowledged;
  }

  private static void batch(Random random, RandomRequests requests, Life store, EtcdModel model) {
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      switch (random.nextInt(24)) {
        case 0, 2 -> store.compact(model, model.revision - random.nextInt(20));
        case 3 -> store.compactAll(model);
        case 5 -> store.raise(model, random.nextInt(1, 40));
        case 1, 4 -> store.lease(random, model);
        default -> store.txn(requests, model);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void inWeakerModesNoRevisionIsUsedTwice(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedStorage storage = new SimulatedStorage(random);
    RandomRequests requests = new RandomRequests(random, 10);
    Durability durability = random.nextBoolean() ? Durability.BUFFERED : Durability.MEMORY;
    long shown = 0;
    for (int life = 0; life < 5; life++) {
      try (Life store = new Life(storage, durability, 0)) {
        assertThat(store.keyspace.revision()).isGreaterThanOrEqualTo(shown);
        if (store.keyspace.revision() > shown && shown > 1) {
          assertThat(store.keyspace.compactedRevision()).isEqualTo(store.keyspace.revision());
        }
        storage.crashAfter(random.nextInt(400));
        while (true) {
          for (int i = random.nextInt(1, 5); i > 0; i--) {
            store.txn(requests, 0);
          }
          long old = store.keyspace.revision() - random.nextInt(5);
          if (random.nextInt(5) == 0 && old > store.keyspace.compactedRevision()) {
            store.keyspace.compact(old);
          }
          store.commit(random);
          shown = store.keyspace.view().revision();
        }
      } catch (SimulatedStorage.Crash crash) {
        storage.restart(true);
      }
    }
  }

  @Test
  void aFrameThatWasWholeOnceIsMissed() throws Exception {
    SimulatedStorage storage = new SimulatedStorage(new Random(1));
    RandomRequests requests = new RandomRequests(new Random(1), 10);
    EtcdModel model = new EtcdModel();
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      for (int i = 0; i < 10; i++) {
        store.txn(requests, model);
        store.journal.commit();
      }
    }
    String segment = LogReader.segments(storage).getFirst();
    storage.damage(segment, 100);
    byte[] before = storage.bytes(segment).clone();
    assertThatThrownBy(() -> new Life(storage, Durability.FSYNC, 0))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining(segment)
        .hasMessageContaining("byte 64");
    assertThat(storage.bytes(segment)).isEqualTo(before);
  }

  @Test
  void aRevisionFloorIsKept() throws Exception {
    SimulatedStorage storage = new SimulatedStorage(new Random(1));
    // Who saw everything up to 5000 goes on with 5001, and must be told to read anew.
    try (Life store = new Life(storage, Durability.FSYNC, 5000)) {
      assertThat(store.keyspace.revision()).isEqualTo(5002);
      assertThat(store.keyspace.compactedRevision()).isEqualTo(5002);
    }
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      assertThat(store.keyspace.revision()).isEqualTo(5002);
    }
  }
}
