// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Windows whose zone decides when they open. */
class DailyWindowTest {
  @Test
  void cronHasTheTimeOfTheZone() {
    DailyWindow window =
        DailyWindow.from(Instant.parse("2026-11-28T22:07:30Z"), "2h", "Asia/Kathmandu");
    assertThat(window.json())
        .isEqualTo("{\"cron\":\"52 3 * * *\",\"duration\":\"2h\",\"timeZone\":\"Asia/Kathmandu\"}");
    assertThat(window.next(Instant.parse("2026-11-28T22:00:00Z")))
        .isEqualTo("2026-11-28T22:07:00Z");
    assertThat(window.next(Instant.parse("2026-11-28T22:07:00Z")))
        .isEqualTo("2026-11-29T22:07:00Z");
  }

  @Test
  void oneThatUtcWouldOpenIsHoursAway() {
    Instant now = Instant.parse("2026-11-28T12:00:00Z");
    assertThat(DailyWindow.openInUtcAlone(now, "2h", "Asia/Kathmandu").next(now))
        .isEqualTo("2026-11-29T06:05:00Z");
    assertThat(DailyWindow.openInUtcAlone(now, "2h", "America/Caracas").next(now))
        .isEqualTo("2026-11-28T15:50:00Z");
  }

  @Test
  void anOpenOneBeganThisDay() {
    Instant now = Instant.parse("2026-11-28T12:00:00Z");
    assertThat(DailyWindow.open(now, "12h", "Asia/Kolkata").next(now))
        .isEqualTo("2026-11-29T11:50:00Z");
  }
}
