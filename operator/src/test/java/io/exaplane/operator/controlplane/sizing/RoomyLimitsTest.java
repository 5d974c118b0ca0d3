// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.pod.ContainerLimits;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who asks for little memory and names no limit gets none that is below what the model expects: a
 * store bounds what it takes by the model's limit, and would fill a smaller one.
 */
class RoomyLimitsTest {
  private static final String OWN =
      "{version: 1.36.3, maxNodes: %1$d, apiServer: {resources: {requests: {memory: %2$s}}}, controllerManager: {resources: {requests: {memory: %2$s}}}, scheduler: {resources: {requests: {memory: %2$s}}}}";

  @ParameterizedTest
  @CsvSource({"100, 64Mi", "100, 128Mi", "100, 2Gi", "5000, 512Mi", "5000, 2Gi", "100000, 1Gi"})
  void aRequestAloneEndsNoContainerBeforeTheModelsLimit(int nodes, String request) {
    Sized model = made(spec(nodes), List.of());
    Sized own = made(Fixtures.controlPlane(OWN.formatted(nodes, request)), List.of());
    assertThat(limit(own.apiServer().orElseThrow().container().orElseThrow()))
        .isGreaterThanOrEqualTo(limit(model.apiServer().orElseThrow().container().orElseThrow()));
    model
        .controllers()
        .forEach(
            (component, resources) ->
                assertThat(limit(own.controllers().get(component)))
                    .as(component.label())
                    .isGreaterThanOrEqualTo(limit(resources)));
  }

  @ParameterizedTest
  @CsvSource({"100, 16Gi", "5000, 64Gi"})
  void aLargeRequestHasTheLimitThatItHadBefore(int nodes, String request) {
    Sized own = made(Fixtures.controlPlane(OWN.formatted(nodes, request)), List.of());
    ResourceRequirements asked = own.apiServer().orElseThrow().container().orElseThrow();
    assertThat(asked.getLimits()).isNullOrEmpty();
    assertThat(own.controllers().values())
        .allSatisfy(resources -> assertThat(resources.getLimits()).isNullOrEmpty());
  }

  /** Bytes, of the container as its pod has it. */
  private static double limit(ResourceRequirements resources) {
    Map<String, Quantity> limits = ContainerLimits.complete(resources).getLimits();
    return limits.get("memory").getNumericalAmount().doubleValue();
  }
}
