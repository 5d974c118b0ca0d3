// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0s, 0",
    "500ms, 500000000",
    "1m30s, 90000000000",
    "1h0m0s, 3600000000000",
    "1.5s, 1500000000",
    ".5s, 500000000",
    "1.s, 1000000000",
    "3\u00b5s, 3000",
    "3\u03bcs, 3000"
  })
  void readsWhatGoWrites(String text, long nanos) {
    assertThat(Durations.nanos(text)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "m", "5 m", "-5s", "5d", ".s", "3000000h"})
  void refusesWhatGoRefuses(String text) {
    assertThatThrownBy(() -> Durations.nanos(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void writesLikeGo() {
    assertThat(Durations.ofSeconds(40)).isEqualTo("40s");
    assertThat(Durations.ofSeconds(300)).isEqualTo("5m0s");
    assertThat(Durations.ofSeconds(3_661)).isEqualTo("1h1m1s");
  }

  @Test
  void aDefaultIsADefaultHoweverItIsWritten() {
    assertThat(new Flag("duration", "5m0s", "").isDefault("300s")).isTrue();
    assertThat(new Flag("float", "50", "").isDefault("50.0")).isTrue();
    assertThat(new Flag("int", "50", "").isDefault("51")).isFalse();
    assertThat(new Flag("int", "1000", "").isDefault("1_000")).isTrue();
    assertThat(new Flag("int32", "80", "").isDefault("0x50")).isTrue();
  }
}
