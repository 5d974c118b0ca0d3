// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardTargetTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"[kube-controller-manager, --node-monitor-grace-period=1m2s]\", 62",
        "\"[a, --node-monitor-grace-period=50s, --node-monitor-grace-period=2m]\", 120",
        "\"[a, --node-monitor-period=5s]\", "
      })
  void theGracePeriodIsThatOfWhatRuns(String command, Long seconds) {
    Deployment deployment =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            spec: {template: {spec: {containers: [{name: c, command: %s}]}}}
            """
                .formatted(command),
            Deployment.class);
    if (seconds == null) {
      assertThat(GuardTarget.grace(deployment)).isEmpty();
    } else {
      assertThat(GuardTarget.grace(deployment)).contains(Duration.ofSeconds(seconds));
    }
  }

  /** A full disk ends renewals, and readiness with them: that is when ages matter. */
  @Test
  void aStoreThatRunsWithoutBeingReadyCountsAtItsPod() {
    GuardTarget.LeaseStore store = new GuardTarget.LeaseStore("u", "demo-default");
    assertThat(store.host(_ -> Optional.empty())).isEqualTo("demo-default");
    assertThat(store.host(uid -> uid.equals("u") ? Optional.of("10.0.0.7") : Optional.empty()))
        .isEqualTo("10.0.0.7");
  }
}
