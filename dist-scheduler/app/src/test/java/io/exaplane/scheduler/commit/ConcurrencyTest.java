// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Concurrency concurrency = new Concurrency(64);
  private long nowNs = TimeUnit.HOURS.toNanos(1);

  @Test
  void growsWhileItIsUsedAndAnswersAreFast() throws Exception {
    assertThat(concurrency.limit()).isEqualTo(16);
    rounds(3000, 2 * MS, false);
    assertThat(concurrency.limit()).isEqualTo(64);
  }

  @Test
  void staysWhereNobodyNeedsMore() throws Exception {
    for (int i = 0; i < 1000; i++) {
      concurrency.acquire();
      concurrency.release(false, 2 * MS, nowNs);
    }
    assertThat(concurrency.limit()).isEqualTo(16);
  }

  @Test
  void halvesOnceASecondWhenTheServerHasTooMuch() throws Exception {
    rounds(1, 2 * MS, true);
    assertThat(concurrency.limit()).isEqualTo(8);
    nowNs += TimeUnit.SECONDS.toNanos(2);
    rounds(1, 2 * MS, true);
    assertThat(concurrency.limit()).isEqualTo(4);
    for (int i = 0; i < 9; i++) {
      nowNs += TimeUnit.SECONDS.toNanos(2);
      rounds(1, 2 * MS, true);
    }
    assertThat(concurrency.limit()).as("never none").isEqualTo(1);
    rounds(200, 2 * MS, false);
    assertThat(concurrency.limit()).as("and it comes back").isGreaterThan(8);
  }

  @Test
  void shrinksWhereAnswersWaitForEachOther() throws Exception {
    rounds(1, 2 * MS, false);
    for (int i = 0; i < 10; i++) {
      nowNs += TimeUnit.SECONDS.toNanos(2);
      rounds(1, 200 * MS, false);
    }
    assertThat(concurrency.limit()).isLessThan(10);
  }

  /** So many times as many at a time as may be. */
  private void rounds(int count, long tookNs, boolean overloaded) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      int limit = concurrency.limit();
      for (int j = 0; j < limit; j++) {
        concurrency.acquire();
      }
      for (int j = 0; j < limit; j++) {
        concurrency.release(overloaded, tookNs, nowNs);
      }
    }
  }
}
