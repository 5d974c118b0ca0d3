// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The grace period of kube-controller-manager while nodes have longer Leases than the model says.
 */
class GraceFloorTest {
  private static final List<String> FLAGS =
      List.of("--node-eviction-rate=0.1", "--node-monitor-grace-period=50s");

  private static ControlPlane controlPlane(String status) {
    return Serialization.unmarshal("status: %s".formatted(status), ControlPlane.class);
  }

  private static ControlPlane longest(int seconds) {
    return controlPlane(
        "{nodes: {pools: 1, registered: 1, ready: 1, maxNodes: 1, longestLeaseSeconds: %d}}"
            .formatted(seconds));
  }

  @ParameterizedTest
  @CsvSource({"40, 50s", "41, 55s", "80, 1m40s", "10, 50s"})
  void fiveRenewalsHaveTime(int lease, String grace) {
    assertThat(GraceFloor.under(FLAGS, longest(lease), false))
        .containsExactly("--node-eviction-rate=0.1", "--node-monitor-grace-period=" + grace);
  }

  @Test
  void withoutPoolsAndWithTheUsersFlagNothingChanges() {
    assertThat(GraceFloor.under(FLAGS, controlPlane("null"), false)).isEqualTo(FLAGS);
    assertThat(GraceFloor.under(FLAGS, controlPlane("{}"), false)).isEqualTo(FLAGS);
    assertThat(GraceFloor.under(FLAGS, longest(80), true)).isEqualTo(FLAGS);
  }
}
