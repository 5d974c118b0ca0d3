// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a start takes, beside what it finds. Cleaning comes to an end. */
@Timeout(60)
class ReplayTest {
  private static final int KEYS = 20;
  private static final int LETTINGS_GO = 200;
  private static final int REVISIONS_BETWEEN = 200;
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
    live(KeyClasses::plain, store -> store.keyspace.compact(store.keyspace.revision()));
  }

  @Test
  void soMayOneOfKeysWithAHistoryWindow() throws Exception {
    live(ReplayTest::windowed, store -> store.startHistory(store.keyspace.revision()));
  }

  private static KeyClasses windowed() {
    return new KeyClasses(
        List.of(new PrefixRule("/key/", 0, Durability.FSYNC, 1_000)), Durability.FSYNC);
  }

  /** A store that lets go what is old, and its restart from a log that has all of it. */
  private void live(Supplier<KeyClasses> classes, Consumer<Life> letGo) throws Exception {
    try (Life store = new Life(storage, classes.get(), 0)) {
      for (int i = 0; i < LETTINGS_GO * REVISIONS_BETWEEN; i++) {
        put(store, i);
        if (i % REVISIONS_BETWEEN == 0) {
          letGo.accept(store);
          store.journal.commit();
          store.keyspace.publish();
          while (store.keyspace.cleaner().clean(1_000, () -> Long.MAX_VALUE)) {}
        }
      }
      store.journal.commit();
      assertThat(store.journal.logBytes()).isGreaterThan(Life.MEMORY_BYTES);
    }
    storage.restart(true);
    try (Life store = new Life(storage, classes.get(), 0)) {
      assertThat(store.keyspace.space().classes().keys()).isEqualTo(KEYS);
      assertThat(store.keyspace.revision()).isEqualTo(LETTINGS_GO * REVISIONS_BETWEEN + 1);
    }
  }
}
