// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.gang.GroupCycle.Verdict;
import org.junit.jupiter.api.Test;

/** What becomes of a group, by what became of its pods. */
class GroupCycleTest {
  private static final boolean AT_ONCE = false;
  private static final boolean BY_PREEMPTION = true;

  private final GroupCycle cycle = new GroupCycle();

  @Test
  void nobodyFoundAPlace() {
    assertThat(cycle.verdict()).isEqualTo(Verdict.UNSCHEDULABLE);
  }

  @Test
  void tooFewFoundAPlace() {
    cycle.found(AT_ONCE, false);
    cycle.found(BY_PREEMPTION, false);
    assertThat(cycle.verdict()).isEqualTo(Verdict.UNSCHEDULABLE);
  }

  @Test
  void enoughFoundAPlaceAtOnce() {
    cycle.found(AT_ONCE, false);
    cycle.found(AT_ONCE, true);
    assertThat(cycle.verdict()).isEqualTo(Verdict.SCHEDULED);
  }

  @Test
  void enoughFoundAPlaceWhereSomebodyHasToGo() {
    cycle.found(BY_PREEMPTION, false);
    cycle.found(AT_ONCE, true);
    assertThat(cycle.verdict()).isEqualTo(Verdict.WAITS_FOR_PREEMPTION);
  }

  @Test
  void oneMoreThanNeededLetsAllWait() {
    cycle.found(AT_ONCE, true);
    cycle.found(BY_PREEMPTION, true);
    assertThat(cycle.verdict()).isEqualTo(Verdict.WAITS_FOR_PREEMPTION);
  }

  @Test
  void anErrorEndsItWhateverWasFound() {
    cycle.found(AT_ONCE, true);
    cycle.failed("no such class");
    assertThat(cycle.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(cycle.error()).isEqualTo("no such class");
  }
}
