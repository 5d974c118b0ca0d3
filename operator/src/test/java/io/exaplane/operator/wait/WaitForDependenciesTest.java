// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @Test
  void aServiceIsFoundWithoutDns() {
    Map<String, String> pod =
        Map.of(
            "A_B_SERVICE_HOST", "fd00::1", "A_B_SERVICE_PORT", "80", "C_SERVICE_HOST", "10.0.0.1");
    assertThat(WaitForDependencies.ofService("a-b/q/health/ready", pod))
        .isEqualTo(URI.create("http://[fd00::1]:80/q/health/ready"));
    assertThat(
            WaitForDependencies.ofService(
                "c", Map.of("C_SERVICE_HOST", "10.0.0.1", "C_SERVICE_PORT", "8080")))
        .isEqualTo(URI.create("http://10.0.0.1:8080/"));
    assertThatThrownBy(() -> WaitForDependencies.ofService("c/x", pod))
        .hasMessageContaining("the Service c did not exist");
  }
}
