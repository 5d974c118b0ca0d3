// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kubectl 1.36.3 makes of words without quotes. */
class YamlScalarsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-7, -7",
    "+7, 7",
    "1_000, 1000",
    "010, 8",
    "0o10, 8",
    "0x1F, 31",
    "0b11, 3",
    "-0x10, -16",
    "08, 8",
    "1e3, 1000",
    "110.0, 110"
  })
  void wholeNumbers(String word, long value) {
    assertThat(YamlScalars.value(word)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.5", ".5, 0.5", "-1.25e-1, -0.125", "1e300, 1e300"})
  void numbersWithFractions(String word, double value) {
    assertThat(YamlScalars.value(word)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "500m", "1Gi", "12e4567", "1.2.3", "0x_", "0x", "12:30", "2026-01-01T00:00:00Z", "-", "+",
        ".", "0b2", "trUe", "nul", "1e", "--1", "0o9", ".inf", "e3", "_1"
      })
  void words(String word) {
    assertThat(YamlScalars.value(word)).isEqualTo(word);
  }

  @Test
  void yesAndNo() {
    assertThat(YamlScalars.value("y")).isEqualTo(true);
    assertThat(YamlScalars.value("on")).isEqualTo(true);
    assertThat(YamlScalars.value("False")).isEqualTo(false);
    assertThat(YamlScalars.value("~")).isNull();
    assertThat(YamlScalars.value("")).isNull();
  }

  /** A number of a million digits took a minute; it is none in Go either. */
  @Test
  void moreDigitsThanAnyNumberAreAWord() {
    String digits = "7".repeat(3_000_000);
    assertThat(YamlScalars.value(digits)).isSameAs(digits);
  }

  @Test
  void largeNumbers() {
    assertThat(YamlScalars.value("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(YamlScalars.value("9223372036854775808")).isEqualTo(BigInteger.ONE.shiftLeft(63));
    assertThat(YamlScalars.value("18446744073709551616")).isEqualTo(0x1p64);
    assertThat(YamlScalars.value("-9223372036854775809")).isEqualTo(-0x1p63);
    assertThat(YamlScalars.value("0x10000000000000000")).isEqualTo("0x10000000000000000");
  }
}
