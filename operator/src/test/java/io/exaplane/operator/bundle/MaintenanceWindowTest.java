// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When windows are open, and what is wrong with fields that the schema lets through. */
class MaintenanceWindowTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 2 * * *        | 2h  |               | 2026-11-27T01:59:59Z | false | 2026-11-27T02:00:00Z
          0 2 * * *        | 2h  |               | 2026-11-27T02:00:00Z | true  | 2026-11-28T02:00:00Z
          0 2 * * *        | 2h  |               | 2026-11-27T03:59:59Z | true  | 2026-11-28T02:00:00Z
          0 2 * * *        | 2h  |               | 2026-11-27T04:00:00Z | false | 2026-11-28T02:00:00Z
          0 2 * * *        |     |               | 2026-11-27T03:59:59Z | true  | 2026-11-28T02:00:00Z
          30 23 * * 5      | 90m | Europe/Berlin | 2026-11-27T23:59:00Z | true  | 2026-12-04T22:30:00Z
          30 23 * * 5      | 90m | Europe/Berlin | 2026-11-28T00:00:00Z | false | 2026-12-04T22:30:00Z
          0 2 * * 7        | 10m | America/New_York | 2026-11-29T07:05:00Z | true | 2026-12-06T07:00:00Z
          0 2 * * 0        | 10m | America/New_York | 2026-11-29T07:05:00Z | true | 2026-12-06T07:00:00Z
          0 2 1 1 *        | 24h | Asia/Kolkata  | 2027-01-01T20:00:00Z | true  | 2027-12-31T20:30:00Z
          0 2 29 2 *       | 24h |               | 2026-11-27T00:00:00Z | false | 2028-02-29T02:00:00Z
          */15 1-3,22 * * * | 10m |              | 2026-11-27T22:20:00Z | true  | 2026-11-27T22:30:00Z
          */15 1-3,22 * * * | 10m |              | 2026-11-27T22:25:00Z | false | 2026-11-27T22:30:00Z
          * * * * *        | 10m |               | 2026-11-27T22:25:00Z | true  | 2026-11-27T22:26:00Z
          """)
  void isOpenFromItsStartForItsLength(
      String cron, String duration, String zone, Instant now, boolean open, Instant next) {
    MaintenanceWindow window = MaintenanceWindow.of(new MaintenanceSpec(cron, duration, zone), now);
    assertThat(window.problem()).isEmpty();
    assertThat(window.isOpen()).isEqualTo(open);
    assertThat(window.opens()).contains(next);
  }

  /** Clocks are set forward on 2027-03-28 and back on 2026-10-25 and 2026-11-01. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 2 * * * | 10m | Europe/Berlin    | 2027-03-28T00:59:59Z | false | 2027-03-28T01:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2027-03-28T01:10:00Z | false | 2027-03-28T01:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2027-03-28T01:30:00Z | true  | 2027-03-29T00:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2027-03-28T01:39:59Z | true  | 2027-03-29T00:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2027-03-28T01:40:00Z | false | 2027-03-29T00:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2026-10-25T00:29:59Z | false | 2026-10-25T00:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2026-10-25T00:30:00Z | true  | 2026-10-26T01:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2026-10-25T01:10:00Z | false | 2026-10-26T01:30:00Z
          30 2 * * * | 10m | Europe/Berlin    | 2026-10-25T01:30:00Z | false | 2026-10-26T01:30:00Z
          30 2 * * * | 2h  | Europe/Berlin    | 2026-10-25T01:45:00Z | true  | 2026-10-26T01:30:00Z
          50 1 * * 0 | 10m | America/New_York | 2026-11-01T05:50:00Z | true  | 2026-11-08T06:50:00Z
          50 1 * * 0 | 10m | America/New_York | 2026-11-01T06:55:00Z | false | 2026-11-08T06:50:00Z
          0 0 * * *  | 1h  | Europe/Berlin    | 2026-10-25T22:30:00Z | false | 2026-10-25T23:00:00Z
          """)
  void aClockThatIsSetTakesNoWindowAway(
      String cron, String duration, String zone, Instant now, boolean open, Instant next) {
    isOpenFromItsStartForItsLength(cron, duration, zone, now, open, next);
  }

  /** Whoever looks again when the next window opens finds it open, once on each day. */
  @ParameterizedTest
  @CsvSource({
    "30 2 * * *, Europe/Berlin, 2027-03-26T12:00:00Z, 4",
    "30 2 * * *, Europe/Berlin, 2026-10-23T12:00:00Z, 4",
    "0 2 * * *, Europe/Berlin, 2027-03-26T12:00:00Z, 4",
    "0 3 * * *, Europe/Berlin, 2026-10-23T12:00:00Z, 4",
    "15 1 * * *, America/New_York, 2026-10-30T12:00:00Z, 4",
    "15 2 * * *, America/New_York, 2027-03-12T12:00:00Z, 4",
    "10 2 * * *, Australia/Lord_Howe, 2026-10-02T12:00:00Z, 4",
    "45 1 * * *, Australia/Lord_Howe, 2027-04-02T12:00:00Z, 4",
    "'30 2,14 * * *', Europe/Berlin, 2027-03-26T15:00:00Z, 8",
  })
  void eachDayHasItsWindow(String cron, String zone, Instant start, int windows) {
    Instant now = start;
    for (int seen = 0; seen < windows; seen++) {
      Instant opens =
          MaintenanceWindow.of(new MaintenanceSpec(cron, "10m", zone), now).opens().orElseThrow();
      assertThat(opens).isAfter(now);
      assertThat(MaintenanceWindow.of(new MaintenanceSpec(cron, "10m", zone), opens).isOpen())
          .as("at %s", opens)
          .isTrue();
      now = opens;
    }
    assertThat(Duration.between(start, now))
        .isBetween(Duration.ofDays(3), Duration.ofDays(4).plusHours(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 2 * * * | Europe/Atlantis | spec.maintenance.timeZone Europe/Atlantis
          0 2 30 2 * |                | spec.maintenance.cron 0 2 30 2 *
          0 5-2 * * * |               | spec.maintenance.cron 0 5-2 * * *
          0 2 * *   |                 | spec.maintenance.cron 0 2 * *
          """)
  void whatNeverOpensIsAProblem(String cron, String zone, String named) {
    MaintenanceWindow window =
        MaintenanceWindow.of(
            new MaintenanceSpec(cron, "2h", zone), Instant.parse("2026-11-27T02:30:00Z"));
    assertThat(window.isOpen()).isFalse();
    assertThat(window.opens()).isEmpty();
    Problem problem = window.problem().orElseThrow();
    assertThat(problem.reason()).isEqualTo(Reason.InvalidMaintenance);
    assertThat(problem.message()).startsWith(named + ":");
  }

  @Test
  void theFieldsRuleIsCronsOwn() {
    String rule = MaintenanceSpec.CRON;
    for (String good : new String[] {"0 2 * * *", "*/15 1-3,22 1,15 */2 0-7", "59 23 31 12 7"}) {
      assertThat(good).matches(rule);
    }
    for (String bad :
        new String[] {
          "",
          "60 2 * * *",
          "0 24 * * *",
          "0 2 32 * *",
          "0 2 * 13 *",
          "0 2 * * 8",
          "0 2 * *",
          "0 2 * * * *",
          "0 2 0 * *",
          "@daily",
          "a b c d e",
          "0 2 * * SAT"
        }) {
      assertThat(bad).doesNotMatch(rule);
    }
  }

  @Test
  void anOwnerWithoutWindowsHasNone() {
    assertThat(MaintenanceWindow.of(null, Instant.EPOCH)).isEqualTo(MaintenanceWindow.NONE);
  }
}
