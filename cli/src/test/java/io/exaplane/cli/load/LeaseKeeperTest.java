// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a renewal does when the API does not simply accept it. */
class LeaseKeeperTest {
  private static final Duration LEASE = Duration.ofSeconds(40);

  private final FakeTimer timer = new FakeTimer();
  private final FakeApi api = new FakeApi(timer, Duration.ofMillis(1));
  private final Times gaps = new Times();
  private final AtomicInteger done = new AtomicInteger();
  private LeaseKeeper keeper;

  @BeforeEach
  void create() {
    keeper =
        new LeaseKeeper(
            api,
            timer,
            new LeaseKeeper.Settings(
                "kube-node-lease", Map.of(), LEASE, Duration.ofSeconds(10), false, gaps),
            "n");
    sync();
    assertThat(api.operations()).containsExactly("get leases", "create leases");
  }

  private void sync() {
    int before = done.get();
    keeper.sync(done::incrementAndGet);
    timer.advance(Duration.ofMinutes(1));
    assertThat(done).as("it goes on, once").hasValue(before + 1);
  }

  @Test
  void aRenewalIsOneRequest() {
    sync();
    assertThat(api.operations()).endsWith("create leases", "update leases").hasSize(3);
  }

  @Test
  void aConflictReadsTheLeaseAndRenewsIt() {
    api.plan("update leases", FakeApi.answer(409));
    api.plan("get leases", FakeApi.answer(200));
    sync();
    assertThat(api.operations()).endsWith("update leases", "get leases", "update leases");
  }

  @Test
  void aLeaseThatIsGoneIsCreatedAfterFiveAttempts() {
    Answer none = FakeApi.answer(404);
    api.plan("update leases", none, none, none, none, none);
    sync();
    assertThat(api.operations().subList(2, 9))
        .containsExactly(
            "update leases",
            "update leases",
            "update leases",
            "update leases",
            "update leases",
            "get leases",
            "create leases");
  }

  /** No endless loop at a server that refuses everything. */
  @Test
  void pausesBetweenAttemptsToReadGrowToSevenSeconds() {
    Answer busy = FakeApi.answer(503);
    Answer[] ten = new Answer[10];
    java.util.Arrays.fill(ten, busy);
    api.plan("update leases", ten);
    api.plan("get leases", ten);
    keeper.sync(done::incrementAndGet);
    timer.advance(Duration.ofSeconds(30));
    // 0.2, 0.4, … 6.4 and 7 s: eight reads in half a minute.
    assertThat(api.sent(call -> call.operation().toString().equals("get leases")))
        .hasSizeBetween(7, 10);
  }

  /** If the server dies and stays dead, no renewal ever ends the longest gap. */
  @Test
  void aGapThatDidNotEndIsBooked() {
    sync();
    keeper.bookOpenGap(Duration.ofMinutes(2).toNanos());
    assertThat(gaps.latency().count()).isEqualTo(1);
    timer.advance(Duration.ofMinutes(5));
    keeper.bookOpenGap(LEASE.toNanos());
    assertThat(gaps.latency().count()).isEqualTo(2);
    assertThat(gaps.longerThan(Duration.ofMinutes(5).toNanos())).isEqualTo(1);
  }

  @Test
  void aRenewedLeaseIsTheServersWithAnotherTime() {
    byte[] first =
        Kube.unwrapped(
            LeaseBody.created(
                "ns", "name", "uid-1", Map.of("a", "b"), LEASE, Instant.ofEpochSecond(1)));
    byte[] second =
        Kube.unwrapped(LeaseBody.renewed(first, LEASE, Instant.ofEpochSecond(77, 123_456_789)));
    assertThat(Kube.metadata(second)).isEqualTo(Kube.metadata(first));
    assertThat(Kube.label(second, "a")).isEqualTo("b");
    byte[] spec = Kube.field(second, 2);
    assertThat(Kube.text(spec, 1)).isEqualTo("name");
    assertThat(Kube.number(spec, 2)).isEqualTo(40);
    assertThat(Kube.number(Kube.field(spec, 4), 1)).isEqualTo(77);
    assertThat(Kube.number(Kube.field(spec, 4), 2)).as("microseconds").isEqualTo(123_456_000);
  }
}
