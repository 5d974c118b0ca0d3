// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.standby.HeldObjects;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Line 31: the right to list nodes is lost, and an endpoint on a node's port stays as it was. */
class UnreadNodesTest {
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, endpoint: {type: NodePort}}");

  @Test
  void thePublishedAddressStaysAndTheRefusalIsTold() {
    controlPlane.setStatus(
        new ControlPlaneStatus(
            1L,
            null,
            new Endpoint("192.0.2.1", 30443),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of()));
    Context<ControlPlane> context = context();
    Sighting seen = look(context);
    assertThat(seen.published().endpoint()).contains(new Endpoint("192.0.2.1", 30443));
    assertThat(seen.published().problem()).isEmpty();
    assertThat(Refusal.text(Outcomes.of(context).refusals()))
        .contains("RBAC refuses to", "cannot list resource");
  }

  @Test
  void aNewOneHasNoAddressYetAndSaysWhereToLook() {
    Sighting seen = look(context());
    assertThat(seen.published().endpoint()).isEmpty();
    assertThat(seen.published().problem().orElseThrow().reason()).isEqualTo(Reason.Creating);
    assertThat(seen.published().problem().get().message()).contains("see ReconciliationActive");
  }

  private Sighting look(Context<ControlPlane> context) {
    return new Observer(new Fixtures.Config("i:1"), Clock.systemUTC())
        .look(
            Fixtures.sized(controlPlane),
            context,
            () -> {
              throw new KubernetesClientException(
                  new StatusBuilder()
                      .withCode(403)
                      .withMessage("nodes is forbidden: User \"o\" cannot list resource \"nodes\"")
                      .build());
            });
  }

  private Context<ControlPlane> context() {
    Service service =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: demo-apiserver, namespace: ns}
            spec: {type: NodePort, clusterIP: 10.0.0.1, ports: [{name: https, port: 6443, nodePort: 30443}]}
            """,
            Service.class);
    service.getMetadata().setOwnerReferences(Fixtures.ownedBy(controlPlane));
    return HeldObjects.context(controlPlane, List.of(service), "controlplane");
  }
}
