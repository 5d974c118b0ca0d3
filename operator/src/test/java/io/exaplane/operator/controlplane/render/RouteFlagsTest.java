// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.render.Inputs.Route;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A resource with a Service of its own is reached by the Service, wherever the resource is. */
class RouteFlagsTest {
  private static final String SPEC =
      "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default}, {name: leases},"
          + " {name: events, criticality: BestEffort}], routes: [%s{store: events, resources:"
          + " [{group: '', resource: events}]}]}}";
  private static final String LEASES =
      "{store: leases, resources: [{group: coordination.k8s.io, resource: leases}]}, ";
  private static final String URL = "https://[fd00::7]:2379";

  private static Inputs inputs(String routes, Route... own) {
    Inputs without = Fixtures.inputs(Fixtures.controlPlane(SPEC.formatted(routes)), "d");
    return new Inputs(
        without.sized(),
        without.images(),
        without.serviceAddress(),
        without.servicePort(),
        List.of(
            without.store("default"),
            new Inputs.Store("leases", true, "https://[fd00::1]:2379", "l"),
            without.store("events")),
        without.certificateEpoch(),
        TaskOrders.NONE,
        List.of(own));
  }

  private static Route leases(String store) {
    return new Route(new ResourceRef("coordination.k8s.io", "leases"), URL, store, URL);
  }

  private static PodTemplateSpec template(Inputs inputs) {
    return Components.apiServer(inputs, Optional.empty()).getSpec().getTemplate();
  }

  private static List<String> command(PodTemplateSpec template) {
    return template.getSpec().getContainers().getFirst().getCommand();
  }

  private static String readiness(PodTemplateSpec template) {
    return template.getSpec().getContainers().getFirst().getReadinessProbe().getHttpGet().getPath();
  }

  @Test
  void theServiceComesLastAndTheSwitchChangesNothing() {
    PodTemplateSpec before = template(inputs("", leases("default")));
    assertThat(command(before))
        .contains(
            "--etcd-servers=https://[fd00::d]:2379",
            "--etcd-servers-overrides=/events#https://[fd00::e]:2379,coordination.k8s.io/leases#"
                + URL);
    assertThat(readiness(before))
        .isEqualTo("/readyz?exclude=etcd-override-0&exclude=etcd-override-readiness-0");
    PodTemplateSpec after = template(inputs(LEASES, leases("leases")));
    assertThat(command(after)).isEqualTo(command(before));
    assertThat(readiness(after)).isEqualTo(readiness(before));
  }

  /** The address of a Service that was lost is in no certificate for a while. */
  @Test
  void aServerStartsWhenTheServiceAnswers() {
    PodTemplateSpec template = template(inputs("", leases("default")));
    assertThat(template.getSpec().getInitContainers().getFirst().getCommand())
        .contains(URL + "/health", "https://[fd00::1]:2379/health");
  }

  @Test
  void checksAreNumberedByTheServersInTheFlag() {
    assertThat(readiness(template(inputs(LEASES))))
        .isEqualTo("/readyz?exclude=etcd-override-1&exclude=etcd-override-readiness-1");
    assertThat(readiness(template(inputs(LEASES, leases("leases")))))
        .isEqualTo("/readyz?exclude=etcd-override-0&exclude=etcd-override-readiness-0");
  }

  @Test
  void aTemplateReachesWhatTheServiceLeadsTo() {
    Inputs before = inputs("", leases("default"));
    Inputs after = inputs(LEASES, leases("leases"));
    PodTemplateSpec direct = template(inputs(""));
    PodTemplateSpec directToLeases = template(inputs(LEASES));
    assertThat(ApiServerFlags.reaches(direct, inputs(""))).isTrue();
    assertThat(ApiServerFlags.reaches(direct, before)).isTrue();
    assertThat(ApiServerFlags.reaches(direct, after)).isFalse();
    assertThat(ApiServerFlags.reaches(directToLeases, after)).isTrue();
    assertThat(ApiServerFlags.reaches(directToLeases, before)).isFalse();
    assertThat(ApiServerFlags.reaches(template(before), after)).isTrue();
  }
}
