// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.exaplane.testbed.machine.StartFailure;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.version.Component;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real components of the version start with what the model says, for clusters of any size. */
@ExtendWith(ControlPlanes.Given.class)
class StartProcessTest {
  @TempDir private Path folder;

  /**
   * kube-apiserver once for each set of flags and gates that the model has for it, and with the
   * largest values; what it is asked then needs no other start.
   */
  @TestFactory
  Stream<DynamicContainer> kubeApiServers(ControlPlanes controlPlanes) {
    return ofSizes(controlPlanes, Clusters.sizesWithOtherNames(Component.KUBE_APISERVER));
  }

  /** And once for each set of values. */
  @TestFactory
  @Tag("long")
  Stream<DynamicContainer> kubeApiServersWithAllValues(ControlPlanes controlPlanes) {
    return ofSizes(controlPlanes, Clusters.distinctSizes(Component.KUBE_APISERVER));
  }

  private Stream<DynamicContainer> ofSizes(ControlPlanes controlPlanes, List<Long> sizes) {
    return sizes.stream()
        .map(
            nodes -> {
              Started started = new Started(controlPlanes, folder, nodes);
              return dynamicContainer(
                  nodes + " nodes",
                  Stream.of(
                          dynamicTest("it starts", started::start),
                          dynamicTest("its clients start", started::clientsStart),
                          dynamicTest(
                              "every level has the seats that the model says",
                              started::everyLevelHasItsSeats))
                      .onClose(started::close));
            });
  }

  /** With each set of values that the model has for one of the two and that was not there above. */
  @ParameterizedTest
  @MethodSource("otherSizesOfClients")
  void controllerManagersAndSchedulersStart(long nodes, ControlPlanes controlPlanes)
      throws Exception {
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      Started.clients(controlPlane, Clusters.tuning(nodes));
    }
  }

  static Stream<Long> otherSizesOfClients() {
    List<Long> above = Clusters.sizesWithOtherNames(Component.KUBE_APISERVER);
    return Clusters.distinctSizes(Component.KUBE_CONTROLLER_MANAGER, Component.KUBE_SCHEDULER)
        .stream()
        .filter(nodes -> !above.contains(nodes));
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
  void whatTheVersionDoesNotTakeKeepsItFromStarting(String planted, ControlPlanes controlPlanes) {
    String gate = planted.replaceAll(".*=([A-Za-z]+)=.*|--([a-z-]+)=.*", "$1$2");
    assertThatThrownBy(() -> controlPlanes.start(folder, Clusters.tuning(100), planted).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(gate);
  }

  @Test
  void nodeRangesThatAreEmittedAreTaken(ControlPlanes controlPlanes) throws Exception {
    Tuning tuning = Clusters.tuning(60_000, Asked.TWO_RANGES);
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      controlPlane.startControllerManager(tuning, List.of());
    }
  }

  /** The rule that 65,536 is the most is upstream's: a /44 for nodes of /64 is refused by it. */
  @Test
  void nodeRangesThatAreNotEmittedWouldHaveBeenRefused(ControlPlanes controlPlanes)
      throws Exception {
    List<String> large = List.of("--allocate-node-cidrs=true", "--cluster-cidr=fd00::/44");
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
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
