// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From kube-scheduler to this scheduler and back, on a cluster where pods wait all the time. */
class HandoverProcessTest {
  private static final int NODES = 40;
  private static final int PODS = 300;
  private static final int MANY_NODES = 120;
  private static final int MANY_PODS = 900;
  private static final int WAITING = 1000;

  /** Each takes twenty. */
  private static final int LATE_NODES = WAITING / 2 / 20;

  /** A kube-scheduler ends when it does not get its Lease renewed in time. */
  private record Upstream(String name, String leaseDuration, String renewDeadline) {}

  /** It is killed, and what it leaves must run out soon. */
  private static final Upstream FIRST = new Upstream("upstream", "4s", "3s");

  /** It must live on a busy machine. */
  private static final Upstream AGAIN = new Upstream("upstream-again", "60s", "50s");

  @TempDir private Path folder;

  @Test
  void fromKubeSchedulerAndBack() throws Exception {
    LiveApi api = SharedApi.lend();
    try (KubernetesClient client = api.client();
        Recording recording = new Recording(client)) {
      PodBatch batch = new PodBatch(client, recording).nodes(NODES);
      Server upstream = kubeScheduler(api, FIRST);
      try (SchedulerProcess ours = SchedulerProcess.start(folder, "ours", api)) {
        batch.create(0, PODS / 3);
        batch.awaitBound(PODS / 3);
        upstream.close();
        batch.create(PODS / 3, 2 * PODS / 3);
        batch.awaitBound(2 * PODS / 3);
        assertThat(ours.log()).contains("deciding for default-scheduler");
        upstream = kubeScheduler(api, AGAIN);
        String holder = holder(client);
        assertThat(ours.log()).contains(holder + " is in charge");
        ours.terminate();
        assertThat(holder(client)).as("it gave the lease back").isNotEqualTo(holder);
        batch.create(2 * PODS / 3, PODS);
        batch.awaitBound(PODS);
        batch.audit(PODS);
      } finally {
        upstream.close();
      }
    }
  }

  /** They wait for nodes of which half come while the one is in charge, half while the other is. */
  @Test
  @Tag("long")
  void fromKubeSchedulerAndBackWhileAThousandPodsWait() throws Exception {
    LiveApi api = SharedApi.lend();
    try (KubernetesClient client = api.client();
        Recording recording = new Recording(client)) {
      PodBatch batch = new PodBatch(client, recording).nodes(MANY_NODES);
      Server upstream = kubeScheduler(api, FIRST);
      try (SchedulerProcess ours = SchedulerProcess.start(folder, "ours", api)) {
        for (int i = 0; i < WAITING; i++) {
          client.resource(late("late-%04d".formatted(i))).create();
        }
        batch.create(0, MANY_PODS / 3);
        batch.awaitBound(MANY_PODS / 3);
        upstream.close();
        batch.create(MANY_PODS / 3, 2 * MANY_PODS / 3);
        batch.awaitBound(2 * MANY_PODS / 3);
        lateNodes(client, 0);
        batch.awaitBound(2 * MANY_PODS / 3 + WAITING / 2);
        upstream = kubeScheduler(api, AGAIN);
        ours.terminate();
        batch.create(2 * MANY_PODS / 3, MANY_PODS);
        lateNodes(client, LATE_NODES);
        batch.awaitBound(MANY_PODS + WAITING);
        batch.audit(MANY_PODS + WAITING);
        assertThat(ours.log()).doesNotContain("unexpected error");
      } finally {
        upstream.close();
      }
    }
  }

  private static Pod late(String name) {
    return PodMix.plain(name, "100m")
        .editSpec()
        .addToNodeSelector("late", "true")
        .endSpec()
        .build();
  }

  /** With room for half of those that wait. */
  private static void lateNodes(KubernetesClient client, int from) {
    for (int i = from; i < from + LATE_NODES; i++) {
      Node node = PodMix.node(5001 + 5 * i, "2");
      node.getMetadata().getLabels().put("late", "true");
      client.resource(node).create();
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

  private Server kubeScheduler(LiveApi api, Upstream of) throws Exception {
    int port = Machine.freePort();
    Path config =
        Files.writeString(
            folder.resolve(of.name() + ".yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: true, leaseDuration: %s, renewDeadline: %s, retryPeriod: 1s}
            clientConnection: {kubeconfig: %s, qps: 1000, burst: 2000}
            """
                .formatted(of.leaseDuration(), of.renewDeadline(), api.schedulerKubeconfig()));
    return Server.start(
        List.of(
            Kubernetes.binary("kube-scheduler"),
            "--config=" + config,
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + folder.resolve(of.name())),
        Map.of(),
        URI.create("https://127.0.0.1:" + port + "/healthz"),
        folder.resolve(of.name() + ".log"));
  }
}
