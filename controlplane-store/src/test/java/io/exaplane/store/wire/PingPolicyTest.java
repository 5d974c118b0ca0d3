// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PingPolicyTest {
  private final PingPolicy policy = new PingPolicy();
  private long nowNanos = 1;

  private boolean ping(long afterMs, boolean hasCalls) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(afterMs);
    policy.sent(); // the answer
    return policy.allows(nowNanos, hasCalls);
  }

  @Test
  void kubeApiServersPingEvery30SecondsIsWelcome() {
    for (int i = 0; i < 100; i++) {
      assertThat(ping(30_000, true)).isTrue();
    }
  }

  @Test
  void twoAreForgivenAndTheThirdIsNot() {
    assertThat(ping(0, true)).isTrue();
    assertThat(ping(1000, true)).isTrue();
    assertThat(ping(1000, true)).isTrue();
    assertThat(ping(1000, true)).isFalse();
  }

  @Test
  void withoutCallsEvenRarePingsAreTooMany() {
    assertThat(ping(0, false)).isTrue();
    assertThat(ping(30_000, false)).isTrue();
    assertThat(ping(30_000, false)).isTrue();
    assertThat(ping(30_000, false)).isFalse();
  }

  @Test
  void pingsThatMeasureTheDataUnderWayAreWelcome() {
    for (int i = 0; i < 100; i++) {
      policy.sent(); // data
      assertThat(ping(1, true)).isTrue();
    }
  }
}
