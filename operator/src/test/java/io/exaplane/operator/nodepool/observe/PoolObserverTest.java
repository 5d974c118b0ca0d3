// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.NodePools;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolObserverTest {
  private static Deployment controllers(String command) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-controller-manager}
        spec: {template: {spec: {containers: [{name: a}, {name: b, command: [%s]}]}}}
        """
            .formatted(command),
        Deployment.class);
  }

  @ParameterizedTest
  @CsvSource({
    "kube-controller-manager, 50",
    "'k, --node-monitor-grace-period=1m30s', 90",
    "'k, --node-monitor-grace-period=60s, --node-monitor-grace-period=+120s', 120"
  })
  void theGracePeriodIsThatOfWhatRuns(String command, long seconds) {
    assertThat(
            PoolObserver.grace(
                NodePools.pool("maxNodes: 1, kubelet: {leaseDurationSeconds: 40}"),
                () -> controllers(command)))
        .isEqualTo(OptionalLong.of(seconds));
  }

  @Test
  void nobodyAsksForItWithoutNeed() {
    assertThat(
            PoolObserver.grace(
                NodePools.pool("maxNodes: 1"),
                () -> {
                  throw new AssertionError("nobody needs the Deployment");
                }))
        .isEmpty();
    assertThat(
            PoolObserver.grace(
                NodePools.pool("maxNodes: 1, kubelet: {leaseDurationSeconds: 40}"), () -> null))
        .hasValue(50);
  }
}
