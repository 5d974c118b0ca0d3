// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.GuardAct;
import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.GuardStatus;
import io.exaplane.api.v1alpha1.GuardStatus.Decision;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.guard.GuardLook;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.NodeFreeze;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a guard tells and remembers, and what the next operator makes of it. */
class GuardRunTest {
  private static final GuardPolicy POLICY =
      GuardPolicy.of(GuardSpec.of(null), Duration.ofSeconds(50));
  private static final LeaseLook GOOD = LeaseLook.counted(20, 0, 4);
  private static final LeaseLook BAD = LeaseLook.counted(5, 15, 4);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private GuardRun look(GuardRun run, GuardMode mode, LeaseLook leases, int times) {
    GuardRun next = run;
    for (int i = 0; i < times; i++) {
      now = now.plus(GuardProbe.PERIOD);
      next = next.next(new GuardLook(now, true, "", leases), POLICY, mode);
    }
    return next;
  }

  private static GuardRun quiet(GuardMode mode) {
    return GuardRun.begin(null, NodeFreeze.State.NONE, mode, true);
  }

  @Test
  void nothingIsToldUntilSomethingIsDecided() {
    GuardRun run = look(quiet(GuardMode.Enforce), GuardMode.Enforce, GOOD, 1);
    GuardVerdict verdict = run.verdict(GuardMode.Enforce);
    run = look(run, GuardMode.Enforce, LeaseLook.counted(18, 2, 4), 500);
    run = look(run, GuardMode.Enforce, BAD, 1);
    assertThat(run.verdict(GuardMode.Enforce)).isEqualTo(verdict);
    run = look(run, GuardMode.Enforce, BAD, 1);
    GuardVerdict frozen = run.verdict(GuardMode.Enforce);
    assertThat(frozen).isNotEqualTo(verdict);
    run = look(run, GuardMode.Enforce, LeaseLook.counted(0, 20, 4), 500);
    assertThat(run.verdict(GuardMode.Enforce)).isEqualTo(frozen);
  }

  /** An operator that has just begun says nothing of a store that it has not looked at. */
  @Test
  void aStoreThatIsNotAskedYetIsNoStoreThatDoesNotCount() {
    GuardRun run = look(quiet(GuardMode.Enforce), GuardMode.Enforce, LeaseLook.NOT_ASKED, 3);
    assertThat(run.verdict(GuardMode.Enforce).countsLeases()).isTrue();
    run = look(run, GuardMode.Enforce, LeaseLook.NOT_COUNTED, 1);
    assertThat(run.verdict(GuardMode.Enforce).countsLeases()).isFalse();
    run = look(run, GuardMode.Enforce, LeaseLook.NOT_ASKED, 1);
    assertThat(run.verdict(GuardMode.Enforce).countsLeases()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"Enforce, Froze, Thawed", "Observe, WouldFreeze, WouldThaw"})
  void decisionsAreRemembered(GuardMode mode, GuardAct first, GuardAct second) {
    GuardRun run = look(quiet(mode), mode, BAD, 2);
    assertThat(run.status().frozen()).isTrue();
    assertThat(run.status().aliveNodes()).isEqualTo(20);
    assertThat(run.status().deadNodes()).isEqualTo(4);
    run = look(run, mode, GOOD, 5);
    assertThat(run.status().frozen()).isFalse();
    assertThat(run.status().decisions()).extracting(Decision::act).containsExactly(first, second);
    assertThat(run.status().decisions()).extracting(Decision::reason).containsOnly("LeasesMissed");
    assertThat(run.status().decisions().getFirst().message()).contains("15 of 20 nodes");
    for (int i = 0; i < 40; i++) {
      run = look(look(run, mode, BAD, 2), mode, GOOD, 5);
    }
    assertThat(run.status().decisions()).hasSize(32);
    assertThat(run.status().decisions().getLast().act()).isEqualTo(second);
  }

  @Test
  void theNextOperatorGoesOnFromWhatThereIs() {
    GuardStatus left = look(quiet(GuardMode.Enforce), GuardMode.Enforce, BAD, 2).status();
    GuardRun next = GuardRun.begin(left, NodeFreeze.State.FROZEN, GuardMode.Enforce, true);
    assertThat(next.state().frozen()).isTrue();
    assertThat(next.state().numbers()).contains("15 of 20 nodes");
    next = look(next, GuardMode.Enforce, BAD, 100);
    assertThat(next.status()).as("it writes nothing").isSameAs(left);
    next = look(next, GuardMode.Enforce, GOOD, 5);
    assertThat(next.state().frozen()).isFalse();
    assertThat(next.status().decisions()).hasSize(2);
  }

  @Test
  void objectsWithoutAStatusCountToo() {
    GuardRun next = GuardRun.begin(null, NodeFreeze.State.FROZEN, GuardMode.Enforce, true);
    assertThat(next.state().frozen()).isTrue();
    assertThat(look(next, GuardMode.Enforce, GOOD, 5).state().frozen()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeFreeze.State.class,
      names = {"NONE", "RELEASED"})
  void aStatusWithoutObjectsIsNotFrozen(NodeFreeze.State actual) {
    GuardStatus left = look(quiet(GuardMode.Enforce), GuardMode.Enforce, BAD, 2).status();
    GuardRun next = GuardRun.begin(left, actual, GuardMode.Enforce, true);
    assertThat(next.state().frozen()).isFalse();
    assertThat(next.isIdle()).isEqualTo(actual == NodeFreeze.State.NONE);
  }

  @Test
  void aGuardThatIsSwitchedOffEndsWhatItDid() {
    GuardRun frozen =
        look(quiet(GuardMode.Enforce), GuardMode.Enforce, BAD, 2).with(NodeFreeze.State.FROZEN, "");
    GuardRun off = look(frozen, GuardMode.Off, BAD, 1);
    assertThat(off.state().frozen()).isFalse();
    assertThat(off.isIdle()).as("the objects are still there").isFalse();
    assertThat(off.status().decisions().getLast())
        .isEqualTo(
            new Decision(
                "2026-01-01T00:00:07Z",
                GuardAct.Thawed,
                Reason.LeasesMissed.name(),
                "The guard is off (spec.guard.mode)."));
    assertThat(look(off, GuardMode.Off, BAD, 10).status()).isSameAs(off.status());
  }
}
