// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes are to have, while kube-controller-manager has another grace period. */
class HeartbeatTargetTest {
  private static final Heartbeats SHORT = new Heartbeats(40, 10, 300);
  private static final Heartbeats LONG = new Heartbeats(80, 30, 600);

  @Test
  void textIsReadAgain() {
    assertThat(Heartbeats.parse(LONG.text())).contains(LONG);
    assertThat(LONG.text()).isEqualTo("80-30-600");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "80", "80-30", "80-30-600-1", "-80-30-600", "9999999-1-1", "a-b-c"})
  void anotherTextIsNone(String text) {
    assertThat(Heartbeats.parse(text)).isEmpty();
  }

  @Test
  void aLongerLeaseWaitsForTheGracePeriodAndUntilItRuns() {
    assertThat(target(LONG, 50, true, SHORT)).isEqualTo(SHORT);
    assertThat(target(LONG, 100, false, SHORT)).isEqualTo(SHORT);
    assertThat(target(LONG, 100, true, SHORT)).isEqualTo(LONG);
  }

  @Test
  void aShorterLeaseWaitsForNothing() {
    assertThat(target(SHORT, 100, false, LONG)).isEqualTo(SHORT);
    assertThat(target(SHORT, 40, false, LONG)).isEqualTo(SHORT);
  }

  @Test
  void whatNodesHaveStaysWhilePodsAreReplaced() {
    assertThat(target(LONG, 50, false, LONG)).isEqualTo(LONG);
  }

  @Test
  void aNewPoolBeginsWithWhatTheGracePeriodHasRoomFor() {
    assertThat(HeartbeatTarget.of(LONG, new GracePeriod(50, true), Optional.empty()).carried())
        .isEqualTo(new Heartbeats(40, 30, 600));
    assertThat(HeartbeatTarget.of(LONG, new GracePeriod(100, false), Optional.empty()).carried())
        .as("another one may lead")
        .isEqualTo(new Heartbeats(40, 30, 600));
    assertThat(HeartbeatTarget.of(LONG, new GracePeriod(100, true), Optional.empty()).carried())
        .isEqualTo(LONG);
  }

  @Test
  void theLongestLeaseFallsWhenAllNodesSaidSo() {
    HeartbeatTarget target =
        HeartbeatTarget.of(SHORT, new GracePeriod(100, true), Optional.of(LONG));
    assertThat(target.longestLease(80, 80, true)).isEqualTo(80);
    assertThat(target.longestLease(80, 40, false)).as("somebody said nothing").isEqualTo(80);
    assertThat(target.longestLease(80, 40, true)).isEqualTo(40);
    assertThat(target.longestLease(40, 9000, true)).as("what a host made up").isEqualTo(40);
    assertThat(target.longestLease(0, 0, true)).isEqualTo(40);
  }

  private static Heartbeats target(Heartbeats wanted, long grace, boolean runs, Heartbeats before) {
    return HeartbeatTarget.of(wanted, new GracePeriod(grace, runs), Optional.of(before)).carried();
  }
}
