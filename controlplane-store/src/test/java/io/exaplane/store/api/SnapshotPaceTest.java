// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may go on to take a snapshot (7., line 21). */
class SnapshotPaceTest {
  @ParameterizedTest
  @CsvSource({
    "1024, 10, 0, true, ''",
    "1, 60, 0, true, ''",
    "1024, 600, 0, true, ''",
    "1023, 61, 0, false, ''",
    "200, 6000, 59, false, ''",
    "1023, 61, 0, true, the store is full",
    "200, 600, 0, true, reads only 200 KiB",
    "63, 61, 0, false, less than 64",
    "5000, 100, 60, false, read nothing of the snapshot for 60 s"
  })
  void aSlowClientIsWaitedForWhileThereIsRoom(
      long kibPerSecond, long seconds, long idleSeconds, boolean isFull, String words) {
    String verdict =
        SnapshotPace.verdict(
            (kibPerSecond << 10) * seconds,
            TimeUnit.SECONDS.toNanos(seconds),
            TimeUnit.SECONDS.toNanos(idleSeconds),
            isFull);
    if (words.isEmpty()) {
      assertThat(verdict).isEmpty();
    } else {
      assertThat(verdict).contains(words);
    }
  }
}
