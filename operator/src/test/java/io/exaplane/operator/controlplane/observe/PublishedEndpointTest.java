// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PublishedEndpointTest {
  private static final EndpointAddress.Result FOUND = EndpointAddress.Result.of("fd00::2", 6443);

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");

  @Test
  void anotherAddressIsPublishedWhenEveryApiserverHasItsCertificate() {
    controlPlane.setStatus(
        Serialization.unmarshal("endpoint: {host: fd00::1, port: 6443}", ControlPlaneStatus.class));
    EndpointAddress.Result early =
        Observer.publish(controlPlane, FOUND, Optional.of("x"), List.of(rolling()));
    assertThat(early.endpoint()).contains(new Endpoint("fd00::1", 6443));
    assertThat(early.problem())
        .hasValueSatisfying(
            problem -> {
              assertThat(problem.reason()).isEqualTo(Reason.RollingOut);
              assertThat(problem.message()).startsWith("fd00::2 replaces fd00::1 when every");
            });
    assertThat(Observer.publish(controlPlane, FOUND, Optional.of("x"), List.of())).isEqualTo(FOUND);
  }

  private static Deployment rolling() {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-apiserver, namespace: ns, generation: 2}
        spec: {replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}
        status: {observedGeneration: 1, replicas: 2, readyReplicas: 2, updatedReplicas: 1}
        """,
        Deployment.class);
  }
}
