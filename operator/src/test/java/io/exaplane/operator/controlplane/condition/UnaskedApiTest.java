// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.ServiceAddresses;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An operator that began when the API's Service or its CA was gone opens no connection, and so gets
 * no answer: what the predecessor said must not stay for ever.
 */
class UnaskedApiTest {
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");

  @ParameterizedTest
  @CsvSource({
    // Service there, ready kube-apiservers, told before; what is said, empty when that stays
    "true, 1, true, ''",
    "true, 0, true, No kube-apiserver is ready",
    "false, 1, true, its Service does not exist",
    "false, 0, true, its Service does not exist",
    "false, 1, false, does not run yet",
  })
  void whatNobodyCanAskIsNotTrueForEver(boolean service, int ready, boolean known, String said) {
    Optional<Verdict> verdict =
        AvailableCondition.of(observed(service, ready), Optional.empty(), List.of(), known, known);
    assertThat(verdict.isEmpty()).isEqualTo(said.isEmpty());
    verdict.ifPresent(
        told -> {
          assertThat(told.met()).isFalse();
          assertThat(told.message()).contains(said);
        });
  }

  private Observed observed(boolean service, int ready) {
    Deployment servers =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: demo-apiserver, namespace: ns}
            spec: {replicas: 1}
            status: {readyReplicas: %d}
            """
                .formatted(ready),
            Deployment.class);
    return new Observed(
        Fixtures.sized(controlPlane),
        List.of(),
        service
            ? Optional.of(new ServiceAddresses("demo-apiserver", List.of("fd00::a"), null, null))
            : Optional.empty(),
        Optional.of(new Endpoint("fd00::a", 6443)),
        Optional.empty(),
        Fixtures.nothingIssued(),
        Optional.empty(),
        List.of(servers),
        List.of(),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }
}
