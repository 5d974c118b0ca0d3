// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.tuning.version.MinorVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColdDiscoveryTest {
  @ParameterizedTest
  @CsvSource({"36, 36, 2", "36, 30, 2", "33, 29, 194", "32, 29, 2", "32, 26, 2", "36, 25, 194"})
  void requestsByServerAndClient(int server, int client, double requests) {
    assertThat(
            ColdDiscovery.of(MinorVersion.of(server), MinorVersion.of(client), 192, 300, 50)
                .requests())
        .isEqualTo(requests);
  }

  /**
   * Crossplane's measurements: 192 GroupVersions 18.4 s in the limiter with 100 and 5, none with
   * 300 and 50.
   */
  @ParameterizedTest
  @CsvSource({"192, 100, 5, 18.8", "192, 300, 50, 0", "368, 100, 5, 54", "368, 300, 50, 1.4"})
  void secondsInTheLimiter(double groupVersions, double burst, double rate, double seconds) {
    assertThat(ColdDiscovery.unaggregated(groupVersions, burst, rate).limiterSeconds())
        .isCloseTo(seconds, within(0.01));
  }
}
