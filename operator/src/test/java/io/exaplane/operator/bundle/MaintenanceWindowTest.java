// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
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
