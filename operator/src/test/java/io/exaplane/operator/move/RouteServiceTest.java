// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.dependent.MemoryApi;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouteServiceTest {
  private static final ResourceRef LEASES = new ResourceRef("coordination.k8s.io", "leases");
  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}");
  private final RouteServices routes = new RouteServices(Clock.systemUTC());
  private MemoryApi api;

  @BeforeEach
  void begin() throws IOException {
    api = new MemoryApi();
  }

  @AfterEach
  void end() {
    api.close();
  }

  /** A look's context, of which only the client is asked for. */
  private Context<?> context() {
    return (Context<?>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, _) -> {
              if (method.getName().equals("getClient")) {
                return api.client();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private Service only() {
    return api.client().services().inNamespace("ns").withName(name()).get();
  }

  private String name() {
    return RouteService.render(controlPlane, LEASES, "default").getMetadata().getName();
  }

  @Test
  void aNewServiceLeadsToTheStoreThatHasTheResource() {
    RouteState state = routes.prepare(controlPlane, LEASES, "default", context());
    Service made = only();
    assertThat(made.getSpec().getType()).isEqualTo("ClusterIP");
    assertThat(made.getSpec().getSelector())
        .isEqualTo(Map.of("exaplane.io/store-shard", "demo-default"));
    assertThat(made.getSpec().getPorts()).singleElement().extracting("port").isEqualTo(2379);
    assertThat(made.getMetadata().getLabels())
        .containsEntry("exaplane.io/control-plane", "demo")
        .containsEntry("exaplane.io/route", "leases.coordination.k8s.io");
    assertThat(made.hasOwnerReferenceFor(controlPlane)).isTrue();
    assertThat(state.ready()).isFalse();
    assertThat(state.address()).isEqualTo(made.getSpec().getClusterIP());
    assertThat(state.selectedStore()).isEqualTo("default");
    assertThat(state.waitsFor()).contains("CA of the stores").contains("CertificatesValid");
  }

  @Test
  void anotherLookChangesNothingAndASelectionStays() {
    routes.prepare(controlPlane, LEASES, "default", context());
    routes.select(controlPlane, LEASES, "leases", context());
    assertThat(only().getSpec().getSelector())
        .isEqualTo(Map.of("exaplane.io/store-shard", "demo-leases"));
    RouteState state = routes.prepare(controlPlane, LEASES, "default", context());
    assertThat(state.selectedStore()).isEqualTo("leases");
    assertThat(api.created()).isEqualTo(1);
  }

  @Test
  void aSelectionByAnOldLookIsRefused() {
    routes.prepare(controlPlane, LEASES, "default", context());
    Service old = only();
    routes.select(controlPlane, LEASES, "leases", context());
    assertThatThrownBy(() -> RouteServices.select(old, controlPlane, "default", api.client()))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(RouteService.leadsTo(only(), "leases", controlPlane)).isTrue();
  }

  @Test
  void aLostServiceAsksForItsAddress() {
    ControlPlaneStatus status =
        new ControlPlaneStatus(
                null, null, null, null, null, null, null, null, null, null, null, null, null)
            .withRoutes(List.of(new Route(LEASES, "leases", "10.9.9.9")));
    controlPlane.setStatus(status);
    routes.select(controlPlane, LEASES, "leases", context());
    assertThat(only().getSpec().getClusterIP()).isEqualTo("10.9.9.9");
    assertThat(only().getMetadata().getAnnotations())
        .containsEntry(KeptAddresses.KEPT, KeptAddresses.Field.clusterIPs.name());
  }

  @Test
  void aRestoredServiceIsTakenOverAndSomebodyElsesIsNot() {
    Service restored =
        new ServiceBuilder(RouteService.render(controlPlane, LEASES, "default"))
            .editMetadata()
            .withOwnerReferences(List.of())
            .endMetadata()
            .build();
    api.client().resource(restored).create();
    routes.prepare(controlPlane, LEASES, "default", context());
    assertThat(only().hasOwnerReferenceFor(controlPlane)).isTrue();
    assertThat(api.created()).isEqualTo(1);
    api.objects().clear();
    restored.getMetadata().setLabels(Map.of("app", "another"));
    api.client().resource(restored).create();
    assertThatThrownBy(() -> routes.prepare(controlPlane, LEASES, "default", context()))
        .isInstanceOf(NeedsPersonException.class)
        .hasMessageContaining(name());
  }
}
