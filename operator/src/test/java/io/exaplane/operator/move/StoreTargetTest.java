// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Clients may wait for a request to a store, so nothing of it waits for the API server. */
class StoreTargetTest {
  private static final StoreMovesClient.Target FIRST = new StoreMovesClient.Target("a", 1, null);
  private static final StoreMovesClient.Target SECOND = new StoreMovesClient.Target("b", 1, null);

  private final AtomicInteger reads = new AtomicInteger();
  private volatile Instant now = Instant.EPOCH;
  private volatile StoreTarget.Reader api = _ -> FIRST;
  private final StoreTarget target =
      new StoreTarget(
          "leases",
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              throw new UnsupportedOperationException();
            }
          },
          before -> {
            try {
              return api.read(before);
            } finally {
              reads.incrementAndGet();
            }
          });

  private void later() {
    now = now.plus(Duration.ofSeconds(31));
  }

  private void untilReads(int count) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (reads.get() < count) {
      assertThat(System.nanoTime()).as("30 s are over").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void untilTarget(StoreMovesClient.Target wanted) throws IOException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!target.target().equals(wanted)) {
      assertThat(System.nanoTime()).as("30 s are over").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aSlowApiServerHoldsNobodyBack() throws Exception {
    assertThat(target.target()).isEqualTo(FIRST);
    CountDownLatch answers = new CountDownLatch(1);
    api =
        _ -> {
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return SECOND;
        };
    later();
    assertThat(target.target()).isEqualTo(FIRST);
    assertThat(target.target()).isEqualTo(FIRST);
    answers.countDown();
    untilTarget(SECOND);
    assertThat(reads).hasValue(2);
  }

  @Test
  void aRefusedReadIsNotRepeatedByEachRequest() throws Exception {
    target.target();
    api =
        _ -> {
          throw new KubernetesClientException("down");
        };
    later();
    for (int i = 0; i < 10; i++) {
      assertThat(target.target()).isEqualTo(FIRST);
    }
    untilReads(2);
    assertThat(target.target()).isEqualTo(FIRST);
    assertThat(reads).hasValue(2);
    later();
    assertThat(target.target()).isEqualTo(FIRST);
    untilReads(3);
  }

  @Test
  void aStoreThatIsGoneIsGone() throws Exception {
    target.target();
    api =
        _ -> {
          throw new StoreGoneException("demo-leases");
        };
    later();
    target.target();
    untilReads(2);
    assertThatThrownBy(() -> untilTarget(SECOND)).isInstanceOf(StoreGoneException.class);
  }

  @Test
  void withoutAFirstAnswerNobodyKnows() {
    api =
        _ -> {
          throw new KubernetesClientException("down");
        };
    assertThatThrownBy(target::target)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not say where");
  }
}
