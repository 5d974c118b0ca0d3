// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a control plane is looked at again. */
class NextLookTest {
  @Test
  void aRefusedFirstStatusIsNotAskedForInALoop() {
    Duration soon = Duration.ofSeconds(5);
    assertThat(NextLook.first(true, Optional.of(soon))).isLessThan(Duration.ofSeconds(1));
    assertThat(NextLook.first(false, Optional.of(soon))).isEqualTo(soon);
    assertThat(NextLook.first(false, Optional.empty())).isEqualTo(Duration.ofSeconds(30));
  }
}
