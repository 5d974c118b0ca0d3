// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each call of a store's disk fails once, or some in a row, and pages that could not be forced are
 * forgotten by the system: what was acknowledged is there afterwards, and each failure has words.
 */
class FaultyDiskTest {
  private static final int BATCHES = 10;
  private static final int MOST_ATTEMPTS = 12;
  private static final int MOST_CALLS = 5_000;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes as the writer does: a commit that failed is tried again, and shown only afterwards. */
  private static Seen write(Life store, int batch, Random random) {
    byte[] key = bytes("/key/" + batch % 4);
    byte[] value = new byte[random.nextInt(1_000)];
    random.nextBytes(value);
    store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
    store.keyspace.commit();
    boolean isDone = false;
    for (int attempt = 0; !isDone; attempt++) {
      assertThat(attempt).isLessThan(MOST_ATTEMPTS);
      try {
        store.journal.commit();
        isDone = true;
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("device");
      }
    }
    store.keyspace.publish();
    return store.seen();
  }

  private static void snapshot(Life store) {
    if (store.journal.wantsSnapshot()) {
      try {
        store.journal.planSnapshot().run();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("device");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, No space left on device",
    "1, Input/output error of the device",
    "3, No space left on device",
    "8, Input/output error of the device"
  })
  void whateverCallFailsNothingAcknowledgedIsLost(int calls, String text) throws Exception {
    boolean hasFailed = true;
    for (int good = 0; hasFailed; good++) {
      assertThat(good).isLessThan(MOST_CALLS);
      Random random = new Random(good);
      SimulatedStorage disk = new SimulatedStorage(random);
      MemberIds.of(disk, random::nextLong);
      Seen last;
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        disk.failAfter(good, calls, text);
        last = store.seen();
        for (int batch = 0; batch < BATCHES; batch++) {
          last = write(store, batch, random);
          snapshot(store);
        }
      }
      hasFailed = disk.hasFailed();
      disk.restart(true);
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        assertThat(store.seen()).as("calls before: %d", good).isEqualTo(last);
        last = write(store, 0, random);
      }
      disk.restart(true);
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        assertThat(store.seen()).isEqualTo(last);
      }
    }
  }

  /** A start that fails says why, and the next one has everything. */
  @Test
  void whateverCallOfAStartFailsTheNextStartHasEverything() throws Exception {
    WrittenHistory history = new WrittenHistory(3, KeyClasses::plain);
    MemberIds.of(history.disk, new Random(3)::nextLong);
    history.write(BATCHES, false);
    boolean hasFailed = true;
    for (int good = 0; hasFailed; good++) {
      SimulatedStorage disk = history.disk.copy();
      disk.failAfter(good, 1, "Input/output error of the device");
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        assertThat(store.seen()).isEqualTo(history.last());
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("Input/output error of the device");
      }
      hasFailed = disk.hasFailed();
      disk.restart(true);
      try (Life store = new Life(disk, KeyClasses.plain(), 0)) {
        assertThat(store.seen()).as("calls before: %d", good).isEqualTo(history.last());
      }
    }
  }
}
