// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.Durability;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a start takes, beside what it finds. */
class ReplayTest {
  private static final int KEYS = 20;
  private static final int COMPACTIONS = 200;
  private static final int REVISIONS_PER_COMPACTION = 200;
  private static final int VALUE_BYTES = 2_000;

  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);

  private static void put(Life store, int number) {
    byte[] key = "/key/%d".formatted(number % KEYS).getBytes(StandardCharsets.UTF_8);
    byte[] value = new byte[VALUE_BYTES];
    store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
    store.keyspace.commit();
    store.journal.collect();
  }

  @Test
  void aLogMayBeLongerThanThereIsMemory() throws Exception {
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      for (int i = 0; i < COMPACTIONS * REVISIONS_PER_COMPACTION; i++) {
        put(store, i);
        if (i % REVISIONS_PER_COMPACTION == 0) {
          store.keyspace.compact(store.keyspace.revision());
          store.journal.collect();
          store.journal.commit();
          store.keyspace.publish();
          while (store.keyspace.cleaner().clean(1_000, () -> Long.MAX_VALUE)) {}
        }
      }
      store.journal.commit();
      assertThat(store.journal.logBytes()).isGreaterThan(Life.MEMORY_BYTES);
    }
    storage.restart(true);
    try (Life store = new Life(storage, Durability.FSYNC, 0)) {
      assertThat(store.keyspace.space().classes().keys()).isEqualTo(KEYS);
      assertThat(store.keyspace.revision()).isEqualTo(COMPACTIONS * REVISIONS_PER_COMPACTION + 1);
    }
  }
}
