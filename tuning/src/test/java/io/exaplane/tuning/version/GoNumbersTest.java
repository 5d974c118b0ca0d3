// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As strconv.ParseInt with base 0, and strconv.ParseFloat. */
class GoNumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-5, -5",
    "+5, 5",
    "1_000, 1000",
    "0x1F4, 500",
    "-0x1f4, -500",
    "0x_1f4, 500",
    "0b101, 5",
    "0o17, 15",
    "017, 15",
    "0_17, 15",
    "99999999999999999999, 99999999999999999999",
  })
  void readsWholeNumbersAsGo(String text, String number) {
    assertThat(GoNumbers.whole(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "08", "0x", "0b2", "0o8", "_1", "1_", "1__0", "5d", "1e3", "5 ", "#5"})
  void refusesWholeNumbersAsGo(String text) {
    assertThatThrownBy(() -> GoNumbers.whole(text)).isInstanceOf(NumberFormatException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1e-3, 0.001",
    ".5, 0.5",
    "5., 5",
    "-2.5E+1, -25",
    "0x1p-2, 0.25",
    "inf, Infinity",
    "-Infinity, -Infinity",
    "nan, NaN",
  })
  void readsFractionsAsGo(String text, double number) {
    assertThat(GoNumbers.floating(text, Double.MAX_VALUE)).isEqualTo(Double.valueOf(number));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "5d", "5f", " 5", "1e", "0x10", "1e999", "4e38"})
  void refusesFractionsAsGo(String text) {
    assertThatThrownBy(() -> GoNumbers.floating(text, Float.MAX_VALUE))
        .isInstanceOf(NumberFormatException.class);
  }
}
