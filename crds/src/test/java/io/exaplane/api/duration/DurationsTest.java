// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0s, 0",
    "500ms, 500",
    "90s, 90000",
    "10m0s, 600000",
    "1h30m, 5400000",
    "87600h, 315360000000",
    "1h1m1s, 3661000",
    "1m30.5s, 90500",
  })
  void readsWhatFieldsHave(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "1h500ms", "1s1m", "ms", "9999999999999999ms", "1d"})
  void refusesOtherForms(String text) {
    assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(DateTimeParseException.class);
  }

  @Test
  void aFieldThatIsNotSetHasTheDefault() {
    assertThat(Durations.parse(null, Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
    assertThat(Durations.parse("2m", Duration.ofHours(1))).isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @CsvSource({"250ms, 250", "90s, 90000", "2m, 120000", "3h, 10800000", "0s, 0"})
  void writesAsPeopleDo(String text, long millis) {
    assertThat(Durations.text(Duration.ofMillis(millis))).isEqualTo(text);
  }
}
