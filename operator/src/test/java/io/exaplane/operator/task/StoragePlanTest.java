// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.operator.config.BuiltinResources;
import io.exaplane.operator.task.observe.EtcdPrefixes;
import io.exaplane.operator.task.observe.StoragePlan;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where resources are, and what the spec says once one has moved. */
class StoragePlanTest {
  private static final String STORES =
      "stores: [{name: default}, {name: events, criticality: BestEffort}, {name: a}, {name: b}]";
  private static final String STATUS =
      """
      {stores: {items: [{name: default, criticality: Critical}, {name: events, criticality: BestEffort, resources: [{group: '', resource: events}]},
                        {name: pods, criticality: Critical, resources: [{group: '', resource: pods}]}]}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # routes of before                                                    | resource | to      | routes afterwards
          []                                                                    | pods     | a       | [{store: a, resources: [{group: '', resource: pods}]}]
          [{store: a, resources: [{group: '', resource: pods}]}]                | pods     | b       | [{store: b, resources: [{group: '', resource: pods}]}]
          [{store: a, resources: [{group: '', resource: pods}]}]                | pods     | default | []
          [{store: a, resources: [{group: '', resource: pods}]}]                | nodes    | a       | [{store: a, resources: [{group: '', resource: pods}, {group: '', resource: nodes}]}]
          [{store: a, resources: [{group: '', resource: pods}, {group: '', resource: nodes}]}, {store: b, resources: [{group: '', resource: secrets}]}] | pods | b | [{store: a, resources: [{group: '', resource: nodes}]}, {store: b, resources: [{group: '', resource: secrets}, {group: '', resource: pods}]}]
          """)
  void theRoutesThatFollow(String before, String resource, String to, String after) {
    ControlPlane controlPlane =
        Tasks.controlPlane(", storage: {%s, routes: %s}".formatted(STORES, before), "{}");
    controlPlane.getMetadata().setResourceVersion("7");
    JsonNode patch =
        json(
            SpecRoutes.patch(
                controlPlane,
                StoragePlan.of(controlPlane).moved(new ResourceRef("", resource), to, "mark")));
    assertThat(patch)
        .isEqualTo(
            json(
                "{metadata: {uid: u, resourceVersion: '7'}, spec: {storage: {routes: %s, movedBy: mark}}}"
                    .formatted(after)));
  }

  /** Routes alone would mean the default stores, and a store of a Kind would be gone. */
  @Test
  void storesThatTheOperatorChoseAreWrittenDown() {
    ControlPlane controlPlane = Tasks.controlPlane(STATUS);
    StoragePlan plan = StoragePlan.of(controlPlane);
    assertThat(plan.storeOf(new ResourceRef("", "pods"))).isEqualTo("pods");
    assertThat(plan.storeOf(new ResourceRef("", "nodes"))).isEqualTo("default");
    assertThat(json(Serialization.asJson(plan.moved(new ResourceRef("", "nodes"), "pods", "mark"))))
        .isEqualTo(
            json(
                """
                {stores: [{name: default, criticality: Critical}, {name: events, criticality: BestEffort}, {name: pods, criticality: Critical}],
                 routes: [{store: events, resources: [{group: '', resource: events}]},
                          {store: pods, resources: [{group: '', resource: pods}, {group: '', resource: nodes}]}],
                 movedBy: mark}
                """));
  }

  private static JsonNode json(String text) {
    return Serialization.unmarshal("---\n" + text, JsonNode.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'', pods, /registry/pods/",
    "'', nodes, /registry/minions/",
    "'', services, /registry/services/specs/",
    "'', endpoints, /registry/services/endpoints/",
    "'', replicationcontrollers, /registry/controllers/",
    "networking.k8s.io, ingresses, /registry/ingress/",
    "networking.k8s.io, networkpolicies, /registry/networkpolicies/",
    "coordination.k8s.io, leases, /registry/leases/",
  })
  void keysOfAResource(String group, String resource, String prefix) {
    assertThat(EtcdPrefixes.of(new ResourceRef(group, resource))).isEqualTo(prefix);
  }

  /** A move of one takes no key of another with it. */
  @Test
  void noTwoResourcesShareAPrefixExceptEvents() {
    for (var all : BuiltinResources.byMinor().values()) {
      List<ResourceRef> resources =
          all.stream()
              .map(
                  name ->
                      new ResourceRef(
                          name.substring(0, name.indexOf('/')),
                          name.substring(name.indexOf('/') + 1)))
              .filter(resource -> !resource.resource().equals("events"))
              .toList();
      assertThat(resources).hasSizeGreaterThan(50);
      for (ResourceRef one : resources) {
        assertThat(resources)
            .filteredOn(other -> EtcdPrefixes.of(other).startsWith(EtcdPrefixes.of(one)))
            .containsExactly(one);
      }
    }
  }
}
