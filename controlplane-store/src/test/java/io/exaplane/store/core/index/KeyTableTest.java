// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.index;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.core.memory.Region;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeyTableTest {
  /** Enough that each of the table's parts grows several times. */
  private static final int KEYS = 30_000;

  private static final byte[] VALUE = {};

  private final Region region = Region.reserve(8 << 20, 16);
  private final RecordLog records = new RecordLog(region, new EpochReclaimer(1), 1);
  private final KeySlots slots = new KeySlots();
  private final KeyTable table = new KeyTable(records.memory(), slots, 7);
  private final byte[][] keys = new byte[KEYS][];
  private volatile int inserted;

  @AfterEach
  void close() {
    region.close();
  }

  @Test
  @Timeout(60)
  void whatWasInsertedIsFoundWhileTheTableGrows() throws Exception {
    for (int i = 0; i < KEYS; i++) {
      keys[i] = ("/registry/pods/" + i).getBytes(US_ASCII);
    }
    CompletableFuture<Integer> missed = CompletableFuture.supplyAsync(this::lookForNewest);
    for (int i = 0; i < KEYS; i++) {
      byte[] key = keys[i];
      long record =
          records.appendPut(
              0, slots.next(), 0, 0, key, 0, key.length, 2, 2, 1, VALUE, 0, VALUE.length, 0);
      table.insert(key, 0, key.length, slots.take(record, (short) 0));
      inserted = i + 1;
    }
    assertThat(missed.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
  }

  /** Keys of the parts that grow now among them; the first one that is not found. */
  private int lookForNewest() {
    for (int last = inserted; last < KEYS; last = inserted) {
      for (int i = Math.max(0, last - 300); i < last; i++) {
        if (table.find(keys[i], 0, keys[i].length) == KeyTable.NOT_FOUND) {
          return i;
        }
      }
    }
    return -1;
  }
}
