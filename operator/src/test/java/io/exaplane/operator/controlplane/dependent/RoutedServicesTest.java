// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Route;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.RoutesSeen;
import io.exaplane.operator.dependent.MemoryApi;
import io.exaplane.operator.move.RouteService;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pass may know less than the API server. */
class RoutedServicesTest {
  private static final ResourceRef LEASES = new ResourceRef("coordination.k8s.io", "leases");

  private MemoryApi api;
  private ControlPlane known;
  private Service strayed;
  private RoutesSeen seen;

  @BeforeEach
  void begin() throws IOException {
    api = new MemoryApi();
    ControlPlane made = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}");
    made.getMetadata().setGeneration(3L);
    known = api.client().resource(made).create();
    strayed = api.client().resource(RouteService.render(known, LEASES, "leases")).create();
    seen =
        new RoutesSeen(
            List.of(new Route(LEASES, "leases", "10.0.0.1")),
            new TreeSet<>(),
            List.of(strayed),
            List.of());
    task("Succeeded");
  }

  @AfterEach
  void end() {
    api.close();
  }

  private void task(String state) {
    ControlPlaneTask task =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlaneTask
            metadata: {generateName: reshard-, namespace: ns}
            spec: {controlPlaneRef: {name: demo}, reshard: {toStore: leases, resources: [{group: coordination.k8s.io, resource: leases}]}}
            status:
              state: %s
              step: SwitchRoute
              startedAt: "2026-01-01T00:00:00Z"
              moves: [{resource: {group: coordination.k8s.io, resource: leases}, fromStore: default}]
            """
                .formatted(state),
            ControlPlaneTask.class);
    task.addOwnerReference(known);
    api.client().resource(task).create();
  }

  private boolean leadsToTheSpecsStore() {
    RoutedServices.lead(strayed, known, seen, null, api.client());
    Service now = api.client().resource(strayed).get();
    return RouteService.leadsTo(now, "default", known);
  }

  @Test
  void aSelectorThatAPersonChangedIsSetAgain() {
    assertThat(leadsToTheSpecsStore()).isTrue();
  }

  @Test
  void aTaskThatThePassDoesNotKnowDecides() {
    task("Running");
    assertThat(leadsToTheSpecsStore()).isFalse();
  }

  @Test
  void aSpecThatThePassDoesNotKnowHasAnotherPass() {
    known.getMetadata().setGeneration(2L);
    assertThat(leadsToTheSpecsStore()).isFalse();
  }
}
