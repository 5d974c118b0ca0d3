// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextStepTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The pod ended. Check the volume with 'x'. It is demo-0. | Check the volume with 'x'.",
        "a flag is unknown; correct spec.apiServer.extraArgs | Correct spec.apiServer.extraArgs.",
        "The store is full. If this persists, see docs/full-store.md. | If this persists, see docs/full-store.md.",
        "Nobody knows. | Nobody knows.",
      })
  void onlyTheSentencesThatAskForSomethingStay(String message, String next) {
    assertThat(NextStep.of(message)).isEqualTo(next);
  }

  @Test
  void noActionIsNone() {
    assertThat(NextStep.isNothing("Pods start. No action is needed.")).isTrue();
    assertThat(NextStep.isNothing("Check the pods.")).isFalse();
  }
}
