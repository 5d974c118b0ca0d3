// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.wait.WaitForDependencies;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleasePaceTest {
  @ParameterizedTest
  @CsvSource({"2, , ''", "10, , ''", "11, , 10/11", "20, , 10/20", "2, 1, 1/2", "20, 20, ''"})
  void onlyWhatIsMoreThanAMinutesWorthIsSpread(int replicas, Integer perMinute, String pace) {
    assertThat(pace(apiServer(replicas, perMinute, "1.36.3", Optional.empty()))).isEqualTo(pace);
  }

  /** The template is the same: scaling replaces no pod, up and down. */
  @Test
  void scalingAloneChangesNothing() {
    for (int made : new int[] {2, 20}) {
      Deployment before = apiServer(made, null, "1.36.3", Optional.empty());
      for (int replicas : new int[] {2, 19, 40}) {
        Deployment scaled = apiServer(replicas, null, "1.36.3", Optional.of(before));
        assertThat(pace(scaled)).isEqualTo(pace(before));
        assertThat(pace(apiServer(20, null, "1.36.3", Optional.of(scaled))))
            .isEqualTo(pace(before));
      }
    }
  }

  @Test
  void anotherPaceOrVersionTakesTheNumberOfToday() {
    Deployment large = apiServer(20, null, "1.36.3", Optional.empty());
    assertThat(pace(apiServer(20, 5, "1.36.3", Optional.of(large)))).isEqualTo("5/20");
    assertThat(pace(apiServer(20, 50, "1.36.3", Optional.of(large)))).isEmpty();
    Deployment small = apiServer(2, null, "1.36.3", Optional.empty());
    assertThat(pace(apiServer(20, 5, "1.36.3", Optional.of(small)))).isEqualTo("5/20");
    assertThat(pace(apiServer(20, null, "1.37.2", Optional.of(small)))).isEqualTo("10/20");
  }

  /** Its replicas of before are what its pods are made for, whatever this pass asks for. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-", "x/y", "0/3", "10/1234567"})
  void anOlderOperatorsDeploymentIsOfTheReplicasThatItHas(String annotation) {
    Deployment old =
        new DeploymentBuilder(apiServer(20, null, "1.36.3", Optional.empty()))
            .editMetadata()
            .withAnnotations(annotation == null ? null : Map.of(ReleasePace.ANNOTATION, annotation))
            .endMetadata()
            .build();
    assertThat(pace(apiServer(40, null, "1.36.3", Optional.of(old)))).isEqualTo("10/20");
  }

  private static Deployment apiServer(
      int replicas, Integer perMinute, String version, Optional<Deployment> existing) {
    String spec =
        "{version: %s, maxNodes: 100, apiServer: {replicas: %d}%s}"
            .formatted(
                version,
                replicas,
                perMinute == null ? "" : ", restart: {releasePerMinute: " + perMinute + "}");
    return Components.apiServer(Fixtures.inputs(Fixtures.controlPlane(spec), "d"), existing);
  }

  private static String pace(Deployment deployment) {
    Container first = deployment.getSpec().getTemplate().getSpec().getInitContainers().getFirst();
    return first.getEnv().stream()
        .filter(variable -> variable.getName().equals(WaitForDependencies.RELEASE))
        .map(EnvVar::getValue)
        .findFirst()
        .orElse("");
  }
}
