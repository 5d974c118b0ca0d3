// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
  @Test
  void readsWhatTheJdkReads() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Instant instant = Instant.ofEpochSecond(random.nextLong(-1L << 33, 1L << 33));
      assertThat(Rfc3339.parseNs(instant.toString()))
          .as("seed %d", seed)
          .isEqualTo(instant.getEpochSecond() * 1_000_000_000L);
    }
  }

  @Test
  void timesTooFarAwayAreTheFarthestThereAre() {
    assertThat(Rfc3339.parseNs("0001-01-01T00:00:00Z")).isEqualTo(-Long.MAX_VALUE);
    assertThat(Rfc3339.parseNs("1600-01-01T00:00:00Z")).isEqualTo(-Long.MAX_VALUE);
    assertThat(Rfc3339.parseNs("9999-01-01T00:00:00Z")).isEqualTo(Long.MAX_VALUE);
    assertThat(Rfc3339.parseNs("2261-12-01T00:00:00Z")).isPositive().isLessThan(Long.MAX_VALUE);
    assertThat(Rfc3339.parseNs("1701-01-01T00:00:00Z")).isNegative();
  }

  @Test
  void readsFractionsAndOffsets() {
    assertThat(Rfc3339.parseNs("1970-01-01T00:00:01.5Z")).isEqualTo(1_500_000_000L);
    assertThat(Rfc3339.parseNs("1970-01-01T01:00:00+01:00")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01 00:00:00Z",
        "2026-01-0aT00:00:00Z",
        "soon"
      })
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> Rfc3339.parseNs(text)).isInstanceOf(DateTimeParseException.class);
  }
}
