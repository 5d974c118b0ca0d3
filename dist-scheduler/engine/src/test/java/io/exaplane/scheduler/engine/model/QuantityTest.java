// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "100m, 100, 1",
    "1, 1000, 1",
    "1.5, 1500, 2",
    "0.0001, 1, 1",
    "1n, 1, 1",
    "0.1n, 1, 1",
    "2k, 2000000, 2000",
    "1Ki, 1024000, 1024",
    "1.5Gi, 1610612736000, 1610612736",
    "1e3, 1000000, 1000",
    "1E3, 1000000, 1000",
    "12e-1, 1200, 2",
    "1E, 1000000000000000000000, 1000000000000000000",
    "+2, 2000, 2",
    "-1, -1000, -1",
    ".5, 500, 1",
  })
  void readsAsKubernetesDoes(String text, String milli, long whole) {
    long thousandths =
        new BigDecimal(milli).min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
    assertThat(Quantity.milli(Quantity.parse(text))).isEqualTo(thousandths);
    assertThat(Quantity.whole(Quantity.parse(text))).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource({"''", "abc", "1x", "1.2.3", "1 Gi", "Gi", "1e", "--1"})
  void saysWhatAQuantityLooksLike(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100m");
  }

  @Test
  void whatIsTooLargeIsTheLargest() {
    assertThat(Quantity.whole(Quantity.parse("100Ei"))).isEqualTo(Long.MAX_VALUE);
  }
}
