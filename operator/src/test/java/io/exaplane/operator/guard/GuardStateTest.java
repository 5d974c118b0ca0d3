// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When a guard freezes and thaws, look by look. {@link GuardSimulation} holds the same against a
 * cluster whose nodes renew, die and lose their way.
 */
class GuardStateTest {
  static final Duration GRACE = Duration.ofSeconds(50);
  static final GuardPolicy POLICY = GuardPolicy.of(GuardSpec.of(null), GRACE);
  static final Duration PERIOD = Duration.ofMillis(2500);
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private GuardState state = GuardState.quiet(true);
  private Instant now = START;

  private void look(boolean inside, String outside, LeaseLook leases) {
    state = state.next(new GuardLook(now, inside, outside, leases), POLICY);
    now = now.plus(PERIOD);
  }

  private void look(int times, String outside, LeaseLook leases) {
    for (int i = 0; i < times; i++) {
      look(true, outside, leases);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // alive, missed, dead, freezes
    "99, 1, 0, false",
    "46, 54, 0, false",
    "45, 55, 0, true",
    "0, 10, 0, true",
    "0, 9, 0, false",
    "0, 3, 0, false",
    "0, 0, 0, false",
    // nodes that were shut down long ago do not count
    "20, 5, 500, false",
    "5, 20, 500, true",
    "4, 5, 500, false"
  })
  void missedLeasesFreezeByTheirShare(long alive, long missed, long dead, boolean freezes) {
    look(2, "", LeaseLook.counted(alive, missed, dead));
    assertThat(state.frozen()).isEqualTo(freezes);
    if (freezes) {
      assertThat(state.cause()).isEqualTo(Reason.LeasesMissed);
      assertThat(state.numbers())
          .startsWith("%d of %d nodes did not renew".formatted(missed, alive + missed))
          .contains("37.5 s", "55 %");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "50, 37500, 900000",
    "130, 97500, 900000",
    "900, 675000, 1350000",
    "2000, 1500000, 1800000"
  })
  void agesFollowTheGracePeriod(int graceSeconds, long staleMs, long deadMs) {
    GuardPolicy policy = GuardPolicy.of(GuardSpec.of(null), Duration.ofSeconds(graceSeconds));
    assertThat(policy.staleAfter()).isEqualTo(Duration.ofMillis(staleMs));
    assertThat(policy.deadAfter()).isEqualTo(Duration.ofMillis(deadMs));
  }

  @Test
  void oneBadLookIsNone() {
    look(1, "timed out", LeaseLook.counted(3, 0, 0));
    look(1, "", LeaseLook.counted(3, 0, 0));
    look(1, "timed out", LeaseLook.counted(3, 0, 0));
    assertThat(state.frozen()).isFalse();
    look(1, "timed out", LeaseLook.counted(3, 0, 0));
    assertThat(state.frozen()).isTrue();
    assertThat(state.cause()).isEqualTo(Reason.EndpointUnreachable);
    assertThat(state.numbers()).contains("(timed out)");
  }

  @Test
  void anApiThatAnswersNobodySaysNothing() {
    for (int i = 0; i < 100; i++) {
      look(false, "refused", LeaseLook.UNREACHABLE);
    }
    assertThat(state.frozen()).isFalse();
    look(2, "refused", LeaseLook.UNREACHABLE);
    assertThat(state.frozen()).isTrue();
    for (int i = 0; i < 100; i++) {
      look(false, "", LeaseLook.counted(100, 0, 0));
    }
    assertThat(state.frozen()).as("it stays as it is").isTrue();
  }

  @Test
  void threeNodesThatWereCutAreWaitedFor() {
    look(2, "timed out", LeaseLook.counted(3, 0, 0));
    look(48, "timed out", LeaseLook.counted(0, 3, 0));
    look(8, "", LeaseLook.counted(0, 3, 0)); // the path is back, no kubelet has renewed yet
    assertThat(state.frozen()).isTrue();
    look(4, "", LeaseLook.counted(3, 0, 0));
    assertThat(state.frozen()).isTrue();
    look(1, "", LeaseLook.counted(3, 0, 0));
    assertThat(state.frozen()).isFalse();
    assertThat(state.numbers()).contains("3 of 3 nodes renew");
  }

  @Test
  void fewNodesThatNeverComeBackAreGivenUpAfterTheirPatience() {
    look(2, "timed out", LeaseLook.counted(3, 0, 0));
    look(48, "", LeaseLook.counted(0, 3, 0)); // 120 s less one look
    assertThat(state.frozen()).isTrue();
    look(5, "", LeaseLook.counted(0, 3, 0));
    assertThat(state.frozen()).isFalse();
  }

  @Test
  void manyNodesAreWaitedForUntilTheyAreBelievedToBeGone() {
    look(2, "", LeaseLook.counted(0, 100, 7));
    look(700, "", LeaseLook.counted(0, 0, 107)); // they are not dead by time alone
    assertThat(state.frozen()).isTrue();
    look(5, "", LeaseLook.counted(46, 54, 7));
    assertThat(state.frozen()).isFalse();

    look(2, "", LeaseLook.counted(0, 100, 7));
    look(720, "", LeaseLook.counted(0, 0, 107)); // half an hour less one look
    assertThat(state.frozen()).isTrue();
    look(5, "", LeaseLook.counted(0, 0, 107));
    assertThat(state.frozen()).as("spec.guard.releaseAfterSeconds").isFalse();
    look(10, "", LeaseLook.counted(0, 0, 107));
    assertThat(state.frozen()).as("dead nodes freeze nothing").isFalse();
  }

  @Test
  void anEndpointThatNeverAnsweredTheOperatorFreezesNothing() {
    state = GuardState.quiet(false);
    look(100, "no route to host", LeaseLook.counted(3, 0, 0));
    assertThat(state.frozen()).isFalse();
    look(2, "no route to host", LeaseLook.counted(0, 100, 0));
    assertThat(state.cause()).as("Leases count all the same").isEqualTo(Reason.LeasesMissed);
    look(5, "no route to host", LeaseLook.counted(100, 0, 0));
    assertThat(state.frozen()).as("and they end it").isFalse();
  }

  @Test
  void nodesThatRenewProveTheWayThatTheOperatorHasLost() {
    look(2, "connection refused", LeaseLook.counted(20, 0, 0));
    assertThat(state.frozen()).isTrue();
    look(48, "connection refused", LeaseLook.counted(20, 0, 0)); // 120 s less one look
    assertThat(state.frozen()).isTrue();
    look(5, "connection refused", LeaseLook.counted(20, 0, 0));
    assertThat(state.frozen()).isFalse();
    look(100, "connection refused", LeaseLook.counted(20, 0, 0));
    assertThat(state.frozen()).as("nor does it begin again").isFalse();
    look(1, "", LeaseLook.counted(20, 0, 0));
    look(2, "connection refused", LeaseLook.counted(20, 0, 0));
    assertThat(state.frozen()).as("until the endpoint has answered").isTrue();
  }

  @Test
  void deadNodesThatAreDeletedMeanwhileHideNobody() {
    look(2, "", LeaseLook.counted(12, 0, 8));
    look(2, "", LeaseLook.counted(5, 7, 8));
    assertThat(state.frozen()).isTrue();
    look(100, "", LeaseLook.counted(5, 7, 0));
    assertThat(state.frozen()).as("7 of 12 are still away").isTrue();
  }

  @Test
  void aStoreThatForgotTheLeasesIsNoProof() {
    look(2, "", LeaseLook.counted(100, 0, 0));
    look(2, "", LeaseLook.UNREACHABLE);
    assertThat(state.cause()).isEqualTo(Reason.LeaseStoreUnreachable);
    look(10, "", LeaseLook.counted(0, 0, 0)); // in memory only, and nobody has renewed
    look(10, "", LeaseLook.counted(30, 0, 0));
    assertThat(state.frozen()).isTrue();
    look(5, "", LeaseLook.counted(60, 0, 0));
    assertThat(state.frozen()).isFalse();
  }

  /** As many looks at a store that began to count with the first of them. */
  private void lookAtANewStore(int times, int alive) {
    Instant began = now;
    for (int i = 0; i < times; i++) {
      look(true, "", LeaseLook.counted(alive, 0, 0).countedFor(Duration.between(began, now)));
    }
  }

  @Test
  void aStoreThatRestartsDuringACutHidesNobodyWhoIsSilent() {
    look(2, "", LeaseLook.counted(20, 80, 0));
    assertThat(state.frozen()).isTrue();
    lookAtANewStore(600, 20); // more than patience, less than releaseAfterSeconds
    assertThat(state.frozen()).as("80 were alive before").isTrue();
    lookAtANewStore(15, 20);
    assertThat(state.frozen()).as("nor after a second restart").isTrue();
    look(5, "", LeaseLook.counted(60, 0, 0).countedFor(Duration.ofMinutes(29)));
    assertThat(state.frozen()).isFalse();

    look(2, "", LeaseLook.counted(20, 80, 0));
    lookAtANewStore(735, 20);
    assertThat(state.frozen()).as("after half an hour they are gone").isFalse();
  }

  @Test
  void aStoreThatRestartsBeforeACutIsSeenHidesNobodyEither() {
    look(2, "", LeaseLook.counted(95, 0, 5));
    lookAtANewStore(15, 20); // 37.5 s less one look
    assertThat(state.frozen()).as("each may renew yet").isFalse();
    look(2, "", LeaseLook.counted(20, 0, 0).countedFor(POLICY.staleAfter()));
    assertThat(state.frozen()).isTrue();
    assertThat(state.numbers()).startsWith("75 of 95 nodes did not renew");
  }

  @Test
  void aStoreThatRestartsAloneFreezesNothing() {
    look(2, "", LeaseLook.counted(95, 0, 5));
    lookAtANewStore(10, 0);
    lookAtANewStore(700, 95);
    assertThat(state.frozen()).isFalse();
    look(10, "", LeaseLook.counted(20, 0, 0).countedFor(POLICY.deadAfter()));
    assertThat(state.frozen()).as("75 were deleted").isFalse();
  }

  @Test
  void whereNobodyCountsThePatienceIsWaitedFor() {
    look(2, "timed out", LeaseLook.NOT_COUNTED);
    look(50, "", LeaseLook.NOT_COUNTED);
    assertThat(state.frozen()).isTrue();
    look(5, "", LeaseLook.NOT_COUNTED);
    assertThat(state.frozen()).isFalse();
  }

  static LongStream seeds() {
    Long seed = Long.getLong("seed");
    return seed == null
        ? LongStream.range(0, Integer.getInteger("seeds", 60))
        : LongStream.of(seed);
  }

  /** Nodes renew, some are cut off or die; kube-controller-manager evicts whom it believes dead. */
  @ParameterizedTest
  @MethodSource("seeds")
  void healthyNodesAreNotEvictedAndDeadOnesAre(long seed) {
    new GuardSimulation(seed).run();
  }
}
