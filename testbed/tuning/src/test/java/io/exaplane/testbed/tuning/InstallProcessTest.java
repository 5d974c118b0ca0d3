// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.ColdClient;
import io.exaplane.cli.measure.DefinitionBench;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.discovery.Definitions;
import io.exaplane.tuning.model.Bytes;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What 'exactl crds measure' does: definitions are installed while another client looks on. */
@ExtendWith(ControlPlanes.Given.class)
class InstallProcessTest {
  @TempDir private Path folder;

  @Test
  void someAreInstalledLookedAtAndRemoved(ControlPlanes controlPlanes) throws Exception {
    try (ControlPlane controlPlane = controlPlanes.shared(folder);
        ApiServer server = ApiServer.connect(controlPlane.kubeconfig())) {
      ColdClient client = new ColdClient(server);
      int before = client.groupVersions();
      DefinitionBench bench = new DefinitionBench(server);
      DefinitionBench.Result seen = bench.install(20, 100, 10, OptionalDouble.of(10));
      print("10/s", seen);
      assertThat(seen.failedProbes()).as("%s", seen.failures()).isZero();
      assertThat(seen.createSeconds()).as("the pace").isGreaterThan(1.8);
      assertThat(seen.probes()).isGreaterThanOrEqualTo(2);
      assertThat(client.groupVersions()).isEqualTo(before + 10);
      assertThat(client.unaggregated(10, 20).seconds()).as("its limiter's").isGreaterThan(1);
      bench.remove();
      Await.until("their groups are gone", () -> client.groupVersions() == before);
    }
  }

  @Test
  @Tag("long")
  void twoThousandAtTheAdvisedRateDisturbNobody() throws Exception {
    try (ControlPlane controlPlane = ControlPlane.start(folder, tuning());
        ApiServer server = ApiServer.connect(controlPlane.kubeconfig())) {
      DefinitionBench.Result seen =
          new DefinitionBench(server)
              .install(2_000, 100, 2_000, OptionalDouble.of(Definitions.ADVISED_PER_SECOND));
      print("as advised", seen);
      assertThat(seen.failedProbes()).as("%s", seen.failures()).isZero();
      assertThat(seen.probes()).as("one a second, but for slow ones").isGreaterThan(1_000);
      double cold =
          new ColdClient(server).kubectl(Kubernetes.binary("kubectl"), controlPlane.kubeconfig());
      System.out.printf("cold kubectl get pods with 2,000 definitions: %.2f s%n", cold);
    }
  }

  @Test
  @Tag("long")
  void twoThousandAtOnceAreServedInTheEnd() throws Exception {
    try (ControlPlane controlPlane = ControlPlane.start(folder, tuning());
        ApiServer server = ApiServer.connect(controlPlane.kubeconfig())) {
      int before = new ColdClient(server).groupVersions();
      print(
          "without a limit",
          new DefinitionBench(server).install(2_000, 100, 2_000, OptionalDouble.empty()));
      assertThat(new ColdClient(server).groupVersions()).isEqualTo(before + 2_000);
    }
  }

  private static Tuning tuning() {
    return Clusters.tuning(100, Asked.MANY_DEFINITIONS);
  }

  private static void print(String pace, DefinitionBench.Result seen) {
    System.out.printf(
        "%d definitions of %.0f KiB, %s: %.0f s, Established after %.2f s (most %.2f), %.0f s of"
            + " CPU, %s each, at most %s; %d probes, %d failed %s, %.3f s in the middle, %.3f at"
            + " most%n",
        seen.count(),
        seen.schemaKib(),
        pace,
        seen.createSeconds(),
        seen.establishedMedianSeconds(),
        seen.establishedMaxSeconds(),
        seen.cpuSeconds(),
        Bytes.text(seen.bytesPerDefinition().orElseThrow()),
        Bytes.text(seen.peakBytes()),
        seen.probes(),
        seen.failedProbes(),
        seen.failures(),
        seen.probeMedianSeconds(),
        seen.probeMaxSeconds());
  }
}
