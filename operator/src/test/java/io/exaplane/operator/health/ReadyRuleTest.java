// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.health.ReadyRule.Informer;
import io.exaplane.operator.health.ReadyRule.Passes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyRuleTest {
  private static final Passes IDLE = new Passes(3, false);
  private final ReadyRule rule = new ReadyRule();
  private long nowNanos = -7;

  private List<String> problems(boolean started, Passes passes, Informer... informers) {
    return rule.look(started, List.of(informers), passes, nowNanos).problems();
  }

  private static Informer pods(boolean running, boolean synced, boolean watching) {
    return new Informer("controlplane/pods", running, synced, watching);
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  @Test
  void aWatchThatIsOpenedAnewIsNoReason() {
    for (int i = 0; i < 1000; i++) {
      assertThat(problems(true, IDLE, pods(true, true, i % 2 == 0))).isEmpty();
      pass(Duration.ofMinutes(1));
    }
  }

  @Test
  void oneThatStaysClosedIs() {
    assertThat(problems(true, IDLE, pods(true, true, false))).isEmpty();
    pass(ReadyRule.WATCH_PATIENCE.minusSeconds(1));
    assertThat(problems(true, IDLE, pods(true, true, false))).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(problems(true, IDLE, pods(true, true, false)))
        .containsExactly("the watch of controlplane/pods has been closed for 120 s");
    assertThat(problems(true, IDLE, pods(true, true, true))).isEmpty();
    assertThat(problems(true, IDLE, pods(true, true, false))).isEmpty();
  }

  @Test
  void anInformerThatHasNothingIs() {
    assertThat(problems(true, IDLE, pods(true, false, true)))
        .containsExactly("the informer of controlplane/pods has not synced");
    assertThat(problems(true, IDLE, pods(false, true, true)))
        .containsExactly("the informer of controlplane/pods does not run");
    assertThat(problems(false, IDLE)).containsExactly("the controllers are not started yet");
  }

  @Test
  void aPassThatNeverEndsIs() {
    assertThat(problems(true, new Passes(3, true))).isEmpty();
    pass(ReadyRule.PASS_PATIENCE.minusSeconds(1));
    assertThat(problems(true, new Passes(3, true))).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(problems(true, new Passes(3, true)))
        .containsExactly("a reconciliation is running, and none has ended for 600 s");
    assertThat(problems(true, new Passes(4, true))).as("another one ended").isEmpty();
  }

  @Test
  void nothingToDoIsNoReason() {
    assertThat(problems(true, IDLE)).isEmpty();
    pass(Duration.ofDays(1));
    assertThat(problems(true, IDLE)).isEmpty();
    assertThat(problems(true, new Passes(3, true))).as("one begins").isEmpty();
    assertThat(rule.look(true, List.of(), IDLE, nowNanos).sinceLastPass())
        .isEqualTo(Duration.ofDays(1));
  }
}
