// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hosted API that hangs keeps no pass, and what it answers in the end is not lost. */
@Timeout(20)
class HostedCallsTest {
  private static final Runnable NOT_LATE =
      () -> {
        throw new AssertionError("nobody gave up");
      };

  private Instant now = Instant.parse("2026-11-27T10:00:00Z");
  private final InstantSource time = () -> now;
  private final Clock clock = time.withZone(ZoneOffset.UTC);
  private final HostedCalls calls = new HostedCalls(Duration.ofMillis(100), clock);
  private final HostedCalls patient = new HostedCalls(Duration.ofSeconds(10), clock);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch late = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    calls.close();
    patient.close();
  }

  private String hangs() {
    asked.incrementAndGet();
    try {
      answered.await();
      return "answer " + asked.get();
    } catch (InterruptedException e) {
      throw new KubernetesClientException("interrupted", e);
    }
  }

  @Test
  void anApiThatAnswersIsAskedAtEachPass() {
    for (int pass = 1; pass <= 2; pass++) {
      assertThat(patient.within("u", "q", asked::incrementAndGet, NOT_LATE)).contains(pass);
    }
  }

  @Test
  void aPassGivesUpAndTheNextOneGetsTheAnswerWithoutAskingAgain() throws Exception {
    long began = System.nanoTime();
    assertThat(calls.within("u", "q", this::hangs, late::countDown)).isEmpty();
    for (int pass = 0; pass < 20; pass++) {
      assertThat(calls.within("u", "q", this::hangs, NOT_LATE)).as("does not even wait").isEmpty();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    assertThat(late.getCount()).as("nothing is late before the end").isEqualTo(1);
    answered.countDown();
    assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(calls.within("u", "q", this::hangs, NOT_LATE)).contains("answer 1");
    assertThat(asked).hasValue(1);
    assertThat(calls.within("u", "q", this::hangs, NOT_LATE)).contains("answer 2");
  }

  @Test
  void theAnswerToAnotherQuestionIsNotGiven() throws Exception {
    assertThat(calls.within("u", "q", this::hangs, late::countDown)).isEmpty();
    answered.countDown();
    assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(calls.within("u", "other", this::hangs, NOT_LATE)).contains("answer 2");
  }

  @Test
  void anAnswerThatNobodyTookInTimeIsForgotten() throws Exception {
    assertThat(calls.within("u", "q", this::hangs, late::countDown)).isEmpty();
    answered.countDown();
    assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
    now = now.plusSeconds(10);
    assertThat(calls.within("u", "q", this::hangs, NOT_LATE)).contains("answer 2");
  }

  @Test
  void nobodyWaitsForAnothersApi() {
    assertThat(calls.within("u", "q", this::hangs, late::countDown)).isEmpty();
    assertThat(calls.within("v", "q", () -> "at once", NOT_LATE)).contains("at once");
  }

  @Test
  void aFailureIsThrownAndAskedAgain() {
    assertThatThrownBy(
            () ->
                patient.within(
                    "u",
                    "q",
                    () -> {
                      throw new KubernetesClientException("refused");
                    },
                    NOT_LATE))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessage("refused");
    assertThat(patient.within("u", "q", () -> "well", NOT_LATE)).isEqualTo(Optional.of("well"));
  }

  @Test
  void whoIsRemovedLeavesNothingUnderWay() throws Exception {
    assertThat(calls.within("u", "q", this::hangs, late::countDown)).isEmpty();
    calls.forget("u");
    assertThat(late.await(10, TimeUnit.SECONDS)).as("it ended").isTrue();
    assertThat(calls.within("u", "q", () -> "well", NOT_LATE)).contains("well");
  }
}
