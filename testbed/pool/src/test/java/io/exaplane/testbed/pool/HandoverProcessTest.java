// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From kube-scheduler to this scheduler and back, on a cluster where pods wait all the time. */
class HandoverProcessTest {
  private static final int NODES = 120;
  private static final int PODS = 900;

  @TempDir private Path folder;

  @Test
  void fromKubeSchedulerAndBack() throws Exception {
    try (LiveApi api = LiveApi.start(folder);
        KubernetesClient client = api.client();
        Recording recording = new Recording(client)) {
      PodBatch batch = new PodBatch(client).nodes(NODES);
      Server upstream = kubeScheduler(api, "upstream");
      try (SchedulerProcess ours = SchedulerProcess.start(folder, "ours", api)) {
        batch.create(0, PODS / 3);
        batch.awaitBound(PODS / 3);
        upstream.close();
        batch.create(PODS / 3, 2 * PODS / 3);
        batch.awaitBound(2 * PODS / 3);
        assertThat(ours.log()).contains("deciding for default-scheduler");
        upstream = kubeScheduler(api, "upstream-again");
        String holder = holder(client);
        assertThat(ours.log()).contains(holder + " is in charge");
        ours.terminate();
        assertThat(holder(client)).as("it gave the lease back").isNotEqualTo(holder);
        batch.create(2 * PODS / 3, PODS);
        batch.awaitBound(PODS);
        batch.audit(recording, PODS);
      } finally {
        upstream.close();
      }
    }
  }

  private static String holder(KubernetesClient client) {
    return String.valueOf(
        client
            .leases()
            .inNamespace("kube-system")
            .withName("kube-scheduler")
            .get()
            .getSpec()
            .getHolderIdentity());
  }

  private Server kubeScheduler(LiveApi api, String name) throws Exception {
    int port = Machine.freePort();
    Path config =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: true, leaseDuration: 4s, renewDeadline: 3s, retryPeriod: 1s}
            clientConnection: {kubeconfig: %s}
            """
                .formatted(api.schedulerKubeconfig()));
    return Server.start(
        List.of(
            Kubernetes.binary("kube-scheduler"),
            "--config=" + config,
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + folder.resolve(name)),
        Map.of(),
        URI.create("https://127.0.0.1:" + port + "/healthz"),
        folder.resolve(name + ".log"));
  }
}
