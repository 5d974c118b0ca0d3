// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.execute.EtcdModel;
import io.exaplane.store.core.execute.RandomRequests;
import io.exaplane.store.core.kind.Durability;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A store says what it found of itself. */
class RecoveredTest {
  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);

  private void live(Durability durability, boolean stopsWell) throws Exception {
    RandomRequests requests = new RandomRequests(random, 5);
    EtcdModel model = new EtcdModel();
    try (Life store = new Life(storage, durability, 0)) {
      assertThat(store.journal.recovered()).as("it is new").isEqualTo(Recovered.EMPTY);
      while (keys(store) == 0) {
        store.txn(requests, model);
      }
      store.commit(random);
      if (stopsWell) {
        store.journal.close();
      }
    }
    storage.restart(false);
  }

  private static long keys(Life store) {
    return store.keyspace.space().classes().keys();
  }

  @ParameterizedTest
  @CsvSource({
    "FSYNC, true, REPLAYED",
    "FSYNC, false, REPLAYED",
    "BUFFERED, true, REPLAYED",
    "BUFFERED, false, PARTIAL",
    "MEMORY, true, EMPTY",
    "MEMORY, false, EMPTY"
  })
  void afterItStopped(Durability durability, boolean stoppedWell, Recovered expected)
      throws Exception {
    live(durability, stoppedWell);
    try (Life store = new Life(storage, durability, 0)) {
      assertThat(store.journal.recovered()).isEqualTo(expected);
      assertThat(keys(store) == 0).isEqualTo(expected == Recovered.EMPTY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasReadOfTheJournalIsNotCountedAsWritten(Durability durability) throws Exception {
    live(durability, true);
    try (Life store = new Life(storage, durability, 0)) {
      assertThat(store.keyspace.space().classes().all()).allMatch(kind -> kind.puts() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEMORY")
  void whoKeptSomethingBeforeItKeptNothingIsNotEmpty(Durability before) throws Exception {
    live(before, true);
    try (Life store = new Life(storage, Durability.MEMORY, 0)) {
      store.commit(random); // reserves
    }
    storage.restart(false);
    try (Life store = new Life(storage, Durability.MEMORY, 0)) {
      assertThat(keys(store)).isPositive();
      assertThat(store.journal.recovered()).isNotEqualTo(Recovered.EMPTY);
    }
  }
}
