// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitForDependenciesTest {
  /** Or no apiserver starts on a full store, and nobody can delete anything. */
  @ParameterizedTest
  @CsvSource({
    "https://[fd00::1]:2379/health, https://[fd00::1]:2379/health?exclude=NOSPACE",
    "https://s:2379/health?serializable=true, https://s:2379/health?serializable=true",
    "https://s:6443/healthz, https://s:6443/healthz"
  })
  void aFullStoreIsNotWaitedFor(URI url, URI asked) {
    assertThat(WaitForDependencies.asked(url)).isEqualTo(asked);
  }
}
