// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods the words of a condition name. */
class ChainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Pod demo-1 is not ready. | demo-1 | true",
        "Check pod 'demo-1'. | demo-1 | true",
        "These pods wait: demo-10, demo-1. | demo-1 | true",
        "It waits for demo-1. Check its log. | demo-1 | true",
        "Pod demo-10 is not ready. | demo-1 | false",
        "Pod my-demo-1 is not ready. | demo-1 | false",
        "Pod demo-1.a is not ready. | demo-1 | false",
        "Pod ns/demo-1 is not ready. | demo-1 | true",
      })
  void aPodIsNamedByItsWholeName(String words, String pod, boolean isNamed) {
    assertThat(Chain.isNamed(words, pod)).isEqualTo(isNamed);
  }
}
