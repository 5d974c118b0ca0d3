// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleasePaceTest {
  private static final String OLD_OPERATOR = "quay.io/exaplane/operator:0";
  private static final String NEW_OPERATOR = "quay.io/exaplane/operator:1";

  @ParameterizedTest
  @CsvSource({"2, , ''", "10, , ''", "11, , 10/11", "20, , 10/20", "2, 1, 1/2", "20, 20, ''"})
  void onlyWhatIsMoreThanAMinutesWorthIsSpread(int replicas, Integer perMinute, String pace) {
    assertThat(pace(apiServer(replicas, perMinute, "1.36.3", Optional.empty()))).isEqualTo(pace);
  }

  /** A new operator alone, and scaling alone, replace no pod. */
  @Test
  void podsThatAreThereKeepWhatTheyHave() {
    Deployment old = without(apiServer(20, null, "1.36.3", Optional.empty()));
    assertThat(template(apiServer(20, null, "1.36.3", Optional.of(old)))).isEqualTo(template(old));
    Deployment small = apiServer(2, null, "1.36.3", Optional.empty());
    assertThat(pace(apiServer(20, null, "1.36.3", Optional.of(small)))).isEmpty();
    Deployment large = apiServer(20, null, "1.36.3", Optional.empty());
    for (int replicas : new int[] {2, 19, 40}) {
      assertThat(pace(apiServer(replicas, null, "1.36.3", Optional.of(large)))).isEqualTo("10/20");
    }
  }

  /** The first container of an older operator would take the argument for a URL, and end. */
  @Test
  void theArgumentComesWithTheImageThatKnowsIt() {
    Deployment old = without(apiServer(20, null, "1.36.3", Optional.empty()));
    assertThat(first(old).getImage()).isEqualTo(OLD_OPERATOR);
    Deployment asked = apiServer(20, 10, "1.36.3", Optional.of(old));
    assertThat(pace(asked)).isEqualTo("10/20");
    assertThat(first(asked).getImage()).isEqualTo(NEW_OPERATOR);
    Deployment upgraded = apiServer(20, null, "1.37.2", Optional.of(old));
    assertThat(pace(upgraded)).isEqualTo("10/20");
    assertThat(first(upgraded).getImage()).isEqualTo(NEW_OPERATOR);
    Deployment asBefore = apiServer(20, 30, "1.36.3", Optional.of(old));
    assertThat(template(asBefore)).isEqualTo(template(old));
  }

  @Test
  void anotherPaceReplacesThePods() {
    Deployment large = apiServer(20, null, "1.36.3", Optional.empty());
    assertThat(pace(apiServer(20, 5, "1.36.3", Optional.of(large)))).isEqualTo("5/20");
    assertThat(pace(apiServer(20, 50, "1.36.3", Optional.of(large)))).isEmpty();
  }

  private static Deployment apiServer(
      int replicas, Integer perMinute, String version, Optional<Deployment> existing) {
    String spec =
        "{version: %s, maxNodes: 100, apiServer: {replicas: %d}%s}"
            .formatted(
                version,
                replicas,
                perMinute == null ? "" : ", restart: {releasePerMinute: " + perMinute + "}");
    return Components.apiServer(
        Fixtures.inputs(Fixtures.controlPlane(spec), "d", NEW_OPERATOR), existing);
  }

  /** As an operator before this one made it. */
  private static Deployment without(Deployment deployment) {
    Deployment old = new DeploymentBuilder(deployment).build();
    Container first = first(old);
    first.setImage(OLD_OPERATOR);
    int at = first.getCommand().indexOf(ReleasePace.ARGUMENT);
    if (at >= 0) {
      first.getCommand().subList(at, at + 2).clear();
    }
    return old;
  }

  private static String pace(Deployment deployment) {
    List<String> command = first(deployment).getCommand();
    int at = command.indexOf(ReleasePace.ARGUMENT);
    return at < 0 ? "" : command.get(at + 1);
  }

  private static Container first(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getInitContainers().getFirst();
  }

  private static Object template(Deployment deployment) {
    return deployment.getSpec().getTemplate();
  }
}
