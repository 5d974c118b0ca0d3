// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.move.RouteService;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoutesSeenTest {
  private static final ResourceRef LEASES = new ResourceRef("coordination.k8s.io", "leases");
  private static final ResourceRef PODS = new ResourceRef("", "pods");
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}");

  private Service service(ResourceRef resource, String store, String address) {
    return new ServiceBuilder(RouteService.render(controlPlane, resource, store))
        .editSpec()
        .withClusterIP(address)
        .endSpec()
        .build();
  }

  private void told(Route... routes) {
    controlPlane.setStatus(
        new ControlPlaneStatus(
                null, null, null, null, null, null, null, null, null, null, null, null, null)
            .withRoutes(List.of(routes)));
  }

  private RoutesSeen seen(TaskOrders orders, Service... services) {
    return RoutesSeen.of(controlPlane, List.of(services), orders, null);
  }

  private static TaskOrders moves(boolean routed, String selected) {
    return new TaskOrders(
        List.of(),
        new RotationSpec(null, null),
        Optional.empty(),
        Map.of(),
        List.of(new TaskOrders.Move(LEASES, "default", "leases", routed, selected, "mark")));
  }

  @Test
  void withoutServicesNothingIsSeen() {
    assertThat(seen(TaskOrders.NONE)).isEqualTo(RoutesSeen.NONE);
  }

  @Test
  void aPreparedServiceIsInCertificatesBeforeItIsInFlags() {
    Service prepared = service(LEASES, "default", "10.0.0.1");
    RoutesSeen first = seen(moves(false, "default"), prepared);
    assertThat(first.routes()).isEmpty();
    assertThat(first.addresses()).containsExactly("10.0.0.1");
    RoutesSeen next = seen(moves(true, "default"), prepared);
    assertThat(next.routes()).containsExactly(new Route(LEASES, "default", "10.0.0.1"));
    assertThat(next.told(LEASES)).isEmpty();
  }

  @Test
  void whatStatusTellsStaysInItsOrderAlsoWithoutServices() {
    told(new Route(PODS, "pods", "10.0.0.2"), new Route(LEASES, "default", "10.0.0.1"));
    RoutesSeen lost = seen(moves(true, "leases"));
    assertThat(lost.routes())
        .containsExactly(
            new Route(PODS, "default", "10.0.0.2"), new Route(LEASES, "leases", "10.0.0.1"));
    assertThat(lost.told(LEASES)).contains("10.0.0.1");
    RoutesSeen other = seen(TaskOrders.NONE, service(LEASES, "leases", "10.0.0.9"));
    assertThat(other.routes().getLast())
        .as("the Service has another address")
        .isEqualTo(new Route(LEASES, "leases", "10.0.0.9"));
    assertThat(other.told(LEASES)).contains("10.0.0.1");
  }

  @Test
  void aServiceThatNoTaskMovesLeadsToTheStoreOfTheSpec() {
    told(new Route(LEASES, "leases", "10.0.0.1"));
    Service wrong = service(LEASES, "leases", "10.0.0.1");
    assertThat(seen(TaskOrders.NONE, wrong).strayed(wrong, controlPlane, TaskOrders.NONE, null))
        .contains("default");
    assertThat(
            seen(moves(true, "default"), wrong)
                .strayed(wrong, controlPlane, moves(true, "default"), null))
        .as("a task decides")
        .isEmpty();
    Service right = service(LEASES, "default", "10.0.0.1");
    assertThat(seen(TaskOrders.NONE, right).strayed(right, controlPlane, TaskOrders.NONE, null))
        .isEmpty();
    right.getSpec().getSelector().put("app", "another");
    assertThat(seen(TaskOrders.NONE, right).strayed(right, controlPlane, TaskOrders.NONE, null))
        .contains("default");
  }

  @Test
  void theStoreOfAResourceIsThatOfItsService() {
    told(new Route(LEASES, "default", "10.0.0.1"));
    RoutesSeen seen = seen(TaskOrders.NONE, service(LEASES, "leases", "10.0.0.1"));
    assertThat(seen.store(LEASES, null)).isEqualTo("leases");
    assertThat(seen.store(PODS, null)).isEqualTo("default");
  }

  @Test
  void onlyStoresThatCanTakeAResourceAreReachedByIt() {
    RoutesSeen seen = seen(TaskOrders.NONE, service(LEASES, "default", "10.0.0.1"));
    assertThat(
            seen.addresses(
                new StoreTemplate("default", Criticality.Critical, null, null, null, null)))
        .containsExactly("10.0.0.1");
    assertThat(
            seen.addresses(
                new StoreTemplate("events", Criticality.BestEffort, null, null, null, null)))
        .isEmpty();
    assertThat(
            seen.addresses(
                new StoreTemplate(
                    "etcd", Criticality.Critical, StoreEngine.Etcd, null, null, null)))
        .isEmpty();
  }
}
