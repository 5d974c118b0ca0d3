// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import static io.exaplane.operator.restart.Looks.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RestartBudgetSpec;
import io.exaplane.api.v1alpha1.RestartSpec;
import io.exaplane.api.v1alpha1.RestartStatus;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestartPlanTest {
  private static final Instant OLD = NOON.minus(Duration.ofDays(3));
  private static final String RELEASE = "kubectl annotate it";
  private static final RestartPolicy POLICY = RestartPolicy.of(null);

  private RestartStatus status;
  private String release;

  private RestartPlan plan(RestartPolicy policy, Instant now, ComponentLook... looks) {
    RestartPlan plan =
        RestartPlan.of(
            policy,
            "u",
            new RestartLedger(policy, status, release, now),
            List.of(looks),
            true,
            now);
    status = plan.status();
    return plan;
  }

  private RestartPlan plan(Instant now, ComponentLook... looks) {
    return plan(POLICY, now, looks);
  }

  /** The issue's own example: killed six times in ten minutes. */
  @Test
  void aComponentThatIsKilledSixTimesIsHeldAndSaysSo() {
    Dependency stores = Dependency.since(OLD);
    for (int kills = 0; kills < 5; kills++) {
      Instant now = NOON.plusSeconds(60L * kills);
      RestartPlan plan = plan(now, Looks.component(stores, 1, Looks.ready("a", OLD, kills, now)));
      assertThat(plan.verdict(RELEASE))
          .as("%d restarts", kills)
          .isEqualTo(Verdict.yes(Reason.AsExpected, "The restart budget is not used up."));
    }
    Instant sixth = NOON.plusSeconds(400);
    RestartPlan held = plan(sixth, Looks.component(stores, 1, Looks.waits("a", OLD, 6, sixth)));
    assertThat(held.verdict(RELEASE).reason()).isEqualTo(Reason.RestartsHeld);
    assertThat(held.verdict(RELEASE).met()).isFalse();
    assertThat(held.verdict(RELEASE).message())
        .contains(
            "kube-apiserver restarted 6 times within 10m, and spec.restart.budget allows 5",
            "(pod a: container main ended with code 1 (CrashLoopBackOff): no store",
            "run '" + RELEASE + "'");
    assertThat(held.replaced()).isEmpty();
    RestartDecision.Hold hold = (RestartDecision.Hold) held.decision("kube-apiserver");
    assertThat(held.nextLook()).contains(Duration.between(sixth, hold.until()).plusMillis(100));

    // After the window it goes on, and nothing was written meanwhile.
    RestartStatus then = status;
    Pod back = Looks.ready("a", OLD, 6, sixth);
    assertThat(
            plan(hold.until().minusSeconds(1), Looks.component(stores, 1, back))
                .verdict(RELEASE)
                .met())
        .isFalse();
    assertThat(plan(hold.until(), Looks.component(stores, 1, back)).verdict(RELEASE).met())
        .isTrue();
    assertThat(status).isEqualTo(then);
  }

  @Test
  void aPersonForgivesOnceWithEachNewValue() {
    Dependency stores = Dependency.since(OLD);
    RestartPolicy two =
        RestartPolicy.of(new RestartSpec(null, new RestartBudgetSpec(2, null), null));
    ComponentLook killed =
        Looks.component(stores, 1, Looks.ready("a", NOON, 2, NOON.plusSeconds(60)));
    Instant now = NOON.plusSeconds(61);
    assertThat(plan(two, now, killed).verdict(RELEASE).met()).isFalse();
    release = "1";
    assertThat(plan(two, now, killed).verdict(RELEASE).met()).isTrue();
    assertThat(status.released()).isEqualTo("1");
    ComponentLook again =
        Looks.component(stores, 1, Looks.ready("a", NOON, 4, NOON.plusSeconds(90)));
    assertThat(plan(two, now.plusSeconds(40), again).verdict(RELEASE).met())
        .as("the same value forgives nothing more")
        .isFalse();
    release = null;
    assertThat(plan(two, now.plusSeconds(40), again).verdict(RELEASE).met()).isFalse();
    release = "2";
    assertThat(plan(two, now.plusSeconds(40), again).verdict(RELEASE).met()).isTrue();
  }

  /** (b): it ended for the lack of a store, which is back. */
  @Test
  void aPodThatWaitsForNothingIsReplacedOnceAndNotTheNextOneThatFailsByItself() {
    Instant back = NOON;
    ComponentLook waits =
        Looks.component(Dependency.since(back), 1, Looks.waits("a", OLD, 9, back.minusSeconds(20)));
    RestartPlan early = plan(back, waits);
    assertThat(early.replaced()).isEmpty();
    assertThat(early.nextLook()).isPresent();
    Instant due = back.plus(early.nextLook().get());
    RestartPlan plan = plan(due, waits);
    assertThat(plan.replaced()).hasValueSatisfying(pod -> assertThat(pod.pod()).isEqualTo("a"));
    assertThat(plan.replaced().get().version()).isEqualTo("7");
    assertThat(plan.verdict(RELEASE).reason())
        .as("what it did for the lack of the store does not count")
        .isEqualTo(Reason.AsExpected);
    ComponentLook next =
        Looks.component(
            Dependency.since(back),
            1,
            Looks.waits("b", due.plusSeconds(1), 3, due.plusSeconds(15)));
    RestartPlan own = plan(due.plusSeconds(16), next);
    assertThat(own.replaced()).isEmpty();
    assertThat(own.verdict(RELEASE).met()).isTrue();
    assertThat(own.verdict(RELEASE).reason()).isEqualTo(Reason.CrashLooping);
    assertThat(own.verdict(RELEASE).message())
        .startsWith(
            "kube-apiserver fails by itself, and the operator leaves the pod to the kubelet: pod b: container main ended with code 1");
  }

  @Test
  void whileTheDependencyIsAwayNothingCountsAndNothingIsReplacedOrNamed() {
    ComponentLook waits =
        Looks.component(Dependency.AWAY, 1, Looks.waits("a", OLD, 9, NOON.minusSeconds(20)));
    RestartPlan plan = plan(NOON, waits);
    assertThat(plan.replaced()).isEmpty();
    assertThat(plan.nextLook()).isEmpty();
    assertThat(plan.verdict(RELEASE).reason()).isEqualTo(Reason.AsExpected);
  }

  /** Each start reads all that the stores hold. */
  @Test
  void oneApiserverStartsAtATimeUnlessNoneServes() {
    Dependency stores = Dependency.since(NOON.minusSeconds(60));
    Pod waits = Looks.waits("b", OLD, 9, NOON.minusSeconds(90));
    Pod starting = Looks.starts("c", NOON.minusSeconds(5));
    Pod serving = Looks.ready("a", OLD, 0, OLD);
    assertThat(plan(NOON, Looks.component(stores, 3, serving, waits, starting)).replaced())
        .isEmpty();
    assertThat(plan(NOON, Looks.component(stores, 3, serving, waits)).replaced())
        .as("a third one is still to be made")
        .isEmpty();
    assertThat(plan(NOON, Looks.component(stores, 2, waits, starting)).replaced())
        .as("none serves")
        .isPresent();
    status = null;
    assertThat(plan(NOON, Looks.component(stores, 2, serving, waits)).replaced()).isPresent();
  }

  /** The cache may be behind: the pod that was deleted a moment ago is there still. */
  @Test
  void aPodThatWasReplacedIsNotReplacedAgain() {
    Dependency stores = Dependency.since(NOON.minusSeconds(60));
    ComponentLook look =
        Looks.component(stores, 1, Looks.waits("b", OLD, 9, NOON.minusSeconds(90)));
    assertThat(plan(NOON, look).replaced()).isPresent();
    for (int seconds : new int[] {0, 1, 10, 29}) {
      assertThat(plan(NOON.plusSeconds(seconds), look).replaced()).isEmpty();
    }
    assertThat(plan(NOON.plusSeconds(30), look).replaced()).as("the deletion failed").isPresent();
  }

  /** Outages that follow soon are answered later and later; a calm time resets that. */
  @Test
  void theDelayGrowsWithEachOutageUntilACalmTime() {
    Instant back = NOON;
    Duration before = Duration.ZERO;
    for (int outage = 1; outage <= 4; outage++) {
      Duration took = untilReplaced(back, "p" + outage);
      assertThat(took)
          .isBetween(
              POLICY.delay(outage),
              POLICY.delay(outage).multipliedBy(6).dividedBy(5).plusSeconds(1))
          .isGreaterThan(before);
      before = took;
      back = back.plusSeconds(90);
    }
    assertThat(untilReplaced(back.plus(POLICY.resetAfter()), "p5"))
        .isLessThan(Duration.ofSeconds(3));
  }

  private Duration untilReplaced(Instant back, String pod) {
    ComponentLook look =
        Looks.component(Dependency.since(back), 1, Looks.waits(pod, OLD, 9, back.minusSeconds(3)));
    Instant now = back;
    while (plan(now, look).replaced().isEmpty()) {
      now = now.plusSeconds(1);
      assertThat(now).isBefore(back.plusSeconds(120));
    }
    return Duration.between(back, now);
  }

  /** A certificate that was wrong is right now: the pod does not wait five minutes for it. */
  @Test
  void anotherSecretIsAReasonToStartAnew() {
    Pod waits = Looks.waits("a", OLD, 4, NOON.minusSeconds(30));
    assertThat(plan(NOON, Looks.component(Dependency.NONE.with("wrong"), 1, waits)).replaced())
        .isEmpty();
    assertThat(status.components().getFirst().credentials().changedAt()).isNull();
    Instant mended = NOON.plusSeconds(10);
    ComponentLook right = Looks.component(Dependency.NONE.with("right"), 1, waits);
    assertThat(plan(mended, right).replaced()).as("after the delay").isEmpty();
    assertThat(plan(mended.plusSeconds(2), right).replaced()).isPresent();
    plan(
        mended.plusSeconds(20),
        Looks.component(
            Dependency.NONE.with("right"),
            1,
            Looks.ready("b", mended.plusSeconds(3), 0, mended.plusSeconds(9))));
    assertThat(status.components().getFirst().credentials()).as("nobody waits").isNull();
  }

  @Test
  void aPodWhoseDataGoesWithItIsNeverReplaced() {
    ComponentLook look =
        Looks.component(
            Dependency.since(NOON.minusSeconds(60)),
            1,
            Looks.waits("b", OLD, 9, NOON.minusSeconds(90)));
    ComponentLook never =
        new ComponentLook(
            look.name(), 1, look.pods(), look.dependency(), ComponentLook.Turns.NEVER);
    assertThat(plan(NOON, never).replaced()).isEmpty();
  }

  /** Restarts that nobody saw are spread over the time in which they were. */
  @ParameterizedTest
  @ValueSource(ints = {6, 60, 600})
  void anOperatorThatWasAwayDoesNotTakeOldRestartsForNewOnes(int restarts) {
    Instant made = NOON.minusSeconds(600L * restarts);
    RestartPlan plan =
        plan(
            NOON,
            Looks.component(
                Dependency.NONE, 1, Looks.ready("a", made, restarts, NOON.minusSeconds(1))));
    assertThat(plan.verdict(RELEASE).met()).isTrue();
    assertThat(status.components().getFirst().restarts()).hasSizeBetween(1, 2);
  }

  @Test
  void aHealthyComponentIsNotRemembered() {
    plan(NOON, Looks.component(Dependency.NONE, 2, Looks.ready("a", OLD, 0, OLD)));
    assertThat(status).isNull();
  }
}
