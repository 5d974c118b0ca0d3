// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines 31, 37: the words of a refusal are those of now, and a repeated one writes nothing. */
class RefusedWritesTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-11-26T12:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "ResourceQuota q, 'used: pods=5, limited: pods=5', 'used: pods=9, limited: pods=9'",
    "A LimitRange, maximum cpu usage per Container is 1, maximum cpu usage per Container is 2",
    "The API server, '30443: provided port is already allocated', '30444: provided port is already allocated'",
    "ValidatingAdmissionPolicy p, at most 3 replicas, at most 5 replicas",
    "Webhook w, at most 3 replicas, at least 5 labels",
  })
  void otherWordsAreTold(String who, String before, String now) {
    Condition first = told(null, who, before, false);
    assertThat(told(first, who, now, false).message()).contains(now).doesNotContain(before);
  }

  /**
   * Each attempt would be a write otherwise; and no number is shown that is not the present one.
   */
  @ParameterizedTest
  @CsvSource({
    "Webhook w, false, attempt 1 of 3, attempt 2 of 3, attempt 3 of 3, attempt … of 3",
    "Webhook w, false, request 7f3c-a1, request 88d0-b2, request 1a2b-c3, request …",
    "Webhook w, false, at 09:50:00.1 by e5, at 09:50:30.2 by e5, at 10:51:00.3 by e5, at …:…:….… by e5",
    "The connection to the API server, true, after 12ms, after 9ms, after 3ms, after …",
    "The operator, false, found 3 of 4, found 2 of 4, found 1 of 4, found … of 4",
  })
  void numbersThatMoveAreLeftOut(
      String who, boolean passes, String one, String two, String three, String steady) {
    Condition first = told(null, who, one, passes);
    assertThat(first.message()).contains(one);
    assertThat(told(first, who, one, passes)).isEqualTo(first);
    Condition second = told(first, who, two, passes);
    Condition third = told(second, who, three, passes);
    assertThat(told(third, who, one, passes)).isEqualTo(third);
    assertThat(third.message()).contains(steady);
  }

  /** Line 34: that no action is needed has a limit of time, and moving numbers write nothing. */
  @Test
  void whatPassesByItselfAndDoesNotNeedsSomebody() {
    Condition first = report(List.of(), 0, "after 12ms");
    assertThat(first.message()).endsWith("No action is needed.");
    Condition soon = report(List.of(first), 119, "after 9ms");
    assertThat(soon.message()).endsWith("No action is needed.");
    Condition late = report(List.of(soon), 121, "after 9ms");
    assertThat(late.message())
        .contains("after …", "more than 2 minutes", "docs/refused.md")
        .doesNotContain("No action is needed");
    assertThat(late.lastTransitionTime()).isEqualTo(first.lastTransitionTime());
    for (int second = 130; second < 200; second += 10) {
      Condition later = report(List.of(late), second, "after %dms".formatted(second));
      assertThat(later).as("%d s", second).isEqualTo(late);
    }
  }

  /** A pause, or a quota, of hours ends, and the first pass meets a conflict. */
  @Test
  void patienceBeginsWithWhatPassesAndNotWithWhatWasBefore() {
    for (Reason reason : List.of(Reason.Paused, Reason.WriteRefused)) {
      Condition before =
          new Condition(
              ConditionType.ReconciliationActive.name(),
              Condition.FALSE,
              reason.name(),
              "No changes are made.",
              NOON.instant().minus(Duration.ofHours(1)).toString(),
              1L);
      Condition first = report(List.of(before), 0, "x");
      assertThat(first.message()).endsWith("No action is needed.");
      Condition soon = report(List.of(first), 119, "x");
      assertThat(soon).isEqualTo(first);
      assertThat(report(List.of(soon), 121, "x").message()).contains("more than 2 minutes");
    }
  }

  private static Condition report(List<Condition> before, long seconds, String why) {
    ConditionSet conditions =
        new ConditionSet(before, 1L, Clock.offset(NOON, Duration.ofSeconds(seconds)));
    Refusal passing =
        Refusals.of(
            new KubernetesClientException(
                new StatusBuilder().withCode(503).withMessage("no answer " + why).build()));
    RefusedWrites.report(
        conditions, ConditionType.ReconciliationActive, 1L, List.of(passing, passing));
    return conditions.build().getFirst();
  }

  /** One that does not pass decides, and nobody is told to do nothing. */
  @Test
  void besideALastingRefusalNobodyIsToldToWait() {
    ConditionSet conditions = new ConditionSet(null, 1L, NOON);
    RefusedWrites.report(
        conditions,
        ConditionType.ReconciliationActive,
        1L,
        List.of(
            new Refusal(
                "Secret s", "apply", "The API server", "busy", "No action is needed.", true),
            new Refusal("Service s", "apply", "Webhook w", "no", "Raise it.", false)));
    assertThat(conditions.build().getFirst().message())
        .contains("Webhook w", "busy")
        .doesNotContain("No action is needed", "See ReconciliationActive");
  }

  @Test
  void eachKindTellsWhetherTheOperatorTriesAgain() {
    for (Enum<?> active :
        List.of(
            ConditionType.ReconciliationActive,
            StoreCondition.ReconciliationActive,
            PoolCondition.ReconciliationActive)) {
      for (boolean passes : List.of(true, false)) {
        ConditionSet conditions = new ConditionSet(null, 1L, NOON);
        RefusedWrites.report(
            conditions,
            active,
            1L,
            List.of(new Refusal("Service s", "apply", "Webhook w", "no", "Raise it.", passes)));
        assertThat(conditions.current(active).orElseThrow().reason())
            .isEqualTo((passes ? Reason.ReconcileFailed : Reason.WriteRefused).name());
      }
    }
  }

  private static Condition told(Condition before, String who, String why, boolean passes) {
    ConditionSet conditions = new ConditionSet(before == null ? null : List.of(before), 1L, NOON);
    RefusedWrites.report(
        conditions,
        ConditionType.ReconciliationActive,
        1L,
        List.of(new Refusal("Service a", "apply", who, why, "Change that.", passes)));
    return conditions.build().getFirst();
  }
}
