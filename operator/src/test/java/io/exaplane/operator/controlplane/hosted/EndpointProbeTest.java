// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which endpoints are asked: those behind which a kube-apiserver may be ready. */
class EndpointProbeTest {
  private static ControlPlaneStatus status(ConditionType type, String status) {
    return Serialization.unmarshal(
        Serialization.asJson(
            Map.of(
                "conditions",
                List.of(
                    new Condition(type.name(), status, "Any", "any", "2026-01-01T00:00:00Z", 1L)))),
        ControlPlaneStatus.class);
  }

  @ParameterizedTest
  @CsvSource({
    "APIServerAvailable, True, true",
    "APIServerAvailable, Unknown, true",
    "APIServerAvailable, False, false",
    "Available, False, true"
  })
  void goesByTheConditionOfKubeApiserver(ConditionType type, String status, boolean asks) {
    assertThat(EndpointProbe.mayAnswer(status(type, status))).isEqualTo(asks);
  }

  @Test
  void nothingKnownIsNoReasonNotToAsk() {
    assertThat(EndpointProbe.mayAnswer(Serialization.unmarshal("{}", ControlPlaneStatus.class)))
        .isTrue();
  }
}
