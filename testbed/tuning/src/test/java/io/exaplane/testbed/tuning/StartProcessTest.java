// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.StartFailure;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.version.Component;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real components of the version start with what the model says, for clusters of any size. */
class StartProcessTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("distinctSizes")
  void allComponentsStart(long nodes) throws Exception {
    Tuning tuning = Clusters.tuning(nodes);
    try (ControlPlane controlPlane = ControlPlane.start(folder, tuning)) {
      controlPlane.startControllerManager(tuning, List.of());
      controlPlane.startScheduler(tuning, List.of());
      assertThat(Http.get(controlPlane.uri("/version")).body())
          .contains("\"gitVersion\": \"v" + Kubernetes.version());
    }
  }

  /** One start for each distinct set of what is said. */
  static Stream<Long> distinctSizes() {
    return Clusters.distinctSizes(
        Component.KUBE_APISERVER, Component.KUBE_CONTROLLER_MANAGER, Component.KUBE_SCHEDULER)
        .stream();
  }

  /** If the model said one of these, the test above would fail. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--feature-gates=CustomResourceFieldSelectors=false",
        "--feature-gates=NoSuchGate=true",
        "--feature-gates=APIPriorityAndFairness=true",
        "--disable-compression-for-client-ips=::1/128",
        "--insecure-port=0"
      })
  void whatTheVersionDoesNotTakeKeepsItFromStarting(String planted) {
    String gate = planted.replaceAll(".*=([A-Za-z]+)=.*|--([a-z-]+)=.*", "$1$2");
    assertThatThrownBy(
            () -> ControlPlane.start(folder, Clusters.tuning(100), List.of(planted)).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(gate);
  }

  @Test
  void nodeRangesThatAreEmittedAreTaken() throws Exception {
    Tuning tuning = Clusters.tuning(60_000, Map.of(Input.POD_CIDRS, "fd00:1::/48,10.0.0.0/8"));
    try (ControlPlane controlPlane = ControlPlane.start(folder, Clusters.tuning(100))) {
      controlPlane.startControllerManager(tuning, List.of());
    }
  }

  /** The rule that 65,536 is the most is upstream's: a /44 for nodes of /64 is refused by it. */
  @Test
  void nodeRangesThatAreNotEmittedWouldHaveBeenRefused() throws Exception {
    List<String> large = List.of("--allocate-node-cidrs=true", "--cluster-cidr=fd00::/44");
    try (ControlPlane controlPlane = ControlPlane.start(folder, Clusters.tuning(100))) {
      assertThat(refusal(controlPlane, large)).contains("node CIDR size is too big");
    }
  }

  /** What the controller manager says before it ends; older ones are healthy for a moment first. */
  private static String refusal(ControlPlane controlPlane, List<String> flags) throws Exception {
    try {
      return controlPlane.startControllerManager(Clusters.tuning(100), flags).awaitEnd();
    } catch (StartFailure e) {
      return e.getMessage();
    }
  }
}
