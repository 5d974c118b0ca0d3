// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.e2e.SchemaRules.Rule;
import java.util.List;

/** What specs may say of bundles, windows, restarts and the guard, on either side of each rule. */
final class SchemaLifeRules {
  private SchemaLifeRules() {}

  /** The same on a ControlPlane, a StoreShard and a SchedulerPool. */
  static final List<Rule> OF_ALL =
      List.of(
          new Rule(
              "a bundle is one word",
              "rollout: {bundle: 0.1.0_a-1}",
              "rollout: {bundle: -a}",
              "rollout.bundle in body should match"),
          new Rule(
              "a bundle is short",
              "rollout: {bundle: %s}".formatted("a".repeat(63)),
              "rollout: {bundle: %s}".formatted("a".repeat(64)),
              "rollout.bundle: Too long"),
          new Rule(
              "a time zone is one word",
              "maintenance: {cron: '0 2 * * 6', timeZone: Etc/GMT+1}",
              "maintenance: {cron: '0 2 * * 6', timeZone: Europe Berlin}",
              "maintenance.timeZone in body should match"),
          new Rule(
              "a time zone is of a place",
              "maintenance: {cron: '0 2 * * 6', timeZone: Asia/Kolkata}",
              "maintenance: {cron: '0 2 * * 6', timeZone: '+05:30'}",
              "maintenance.timeZone in body should match"));

  /** What a StoreShard and a SchedulerPool have like a ControlPlane, whose rules are tried too. */
  static final List<Rule> OF_STORES_AND_POOLS =
      List.of(
          new Rule(
              "a window is between 10 minutes and a day",
              "maintenance: {cron: '0 2 * * 6', duration: 24h, timeZone: Europe/Berlin}",
              "maintenance: {cron: '0 2 * * 6', duration: 9m}",
              "maintenance.duration 9m: must be 10m to 24h"),
          new Rule(
              "cron has five fields in their ranges",
              "maintenance: {cron: '*/15 1-3,22 * * *'}",
              "maintenance: {cron: '0 24 * * *'}",
              "maintenance.cron 0 24 * * *: must have five fields of cron"),
          new Rule(
              "a window has a begin",
              "maintenance: {cron: '0 2 * * *'}",
              "maintenance: {duration: 2h}",
              "maintenance.cron: Required value"),
          new Rule(
              "a pace of restarts is positive",
              "restart: {releasePerMinute: 600}",
              "restart: {releasePerMinute: 0}",
              "restart.releasePerMinute in body should be greater than or equal to 1"),
          new Rule(
              "delays only grow",
              "restart: {backoff: {initial: 1m, max: 60s}}",
              "restart: {backoff: {initial: 61s}}",
              "max must be from initial to 24h"),
          new Rule(
              "a factor multiplies",
              "restart: {backoff: {factor: 10, jitterPercent: 0}}",
              "restart: {backoff: {factor: 11}}",
              "restart.backoff.factor in body should be less than or equal to 10"),
          new Rule(
              "a budget allows something",
              "restart: {budget: {maxRestarts: 1, window: 1m}}",
              "restart: {budget: {maxRestarts: 0}}",
              "restart.budget.maxRestarts in body should be greater than or equal to 1"),
          new Rule(
              "a window of restarts has a unit",
              "restart: {budget: {window: 24h}}",
              "restart: {budget: {window: 10M}}",
              "restart.budget.window 10M: must be a number with s, m or h"));

  /** The thresholds of a ControlPlane's guard. */
  static final List<Rule> OF_GUARDS =
      List.of(
          new Rule(
              "a guard has three modes",
              "guard: {mode: Observe}",
              "guard: {mode: Never}",
              "guard.mode: Unsupported value: \"Never\""),
          atLeast("stalePercent", 10),
          atLeast("unhealthySharePercent", 1),
          atLeast("minNodes", 2),
          atLeast("deadAfterSeconds", 120),
          atLeast("badProbesToFreeze", 1),
          atLeast("goodProbesToThaw", 1),
          atLeast("thawPatienceSeconds", 0),
          atLeast("releaseAfterSeconds", 120),
          atMost("stalePercent", 95),
          atMost("unhealthySharePercent", 100),
          // The API server may write the limit as 1e+06.
          new Rule(
              "guard.minNodes is at most a million",
              "guard: {minNodes: 1000000}",
              "guard: {minNodes: 1000001}",
              "guard.minNodes in body should be less than or equal to 1"),
          atMost("deadAfterSeconds", 1_800),
          atMost("badProbesToFreeze", 20),
          atMost("goodProbesToThaw", 100),
          atMost("thawPatienceSeconds", 3_600),
          atMost("releaseAfterSeconds", 86_400));

  private static Rule atLeast(String field, int least) {
    return new Rule(
        "guard.%s is at least %d".formatted(field, least),
        "guard: {%s: %d}".formatted(field, least),
        "guard: {%s: %d}".formatted(field, least - 1),
        "guard.%s in body should be greater than or equal to %d".formatted(field, least));
  }

  private static Rule atMost(String field, int most) {
    return new Rule(
        "guard.%s is at most %d".formatted(field, most),
        "guard: {%s: %d}".formatted(field, most),
        "guard: {%s: %d}".formatted(field, most + 1),
        "guard.%s in body should be less than or equal to %d".formatted(field, most));
  }
}
