// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What real controllers make, on a real kube-apiserver. */
class WorkloadsProcessTest {
  private static final int NODES = 9;

  private static Server controllers;
  private KubernetesClient client;
  private LiveScheduler scheduler;

  @BeforeAll
  static void startControllers() throws Exception {
    controllers =
        SharedApi.lend()
            .startControllers(
                "deployment-controller",
                "replicaset-controller",
                "statefulset-controller",
                "daemonset-controller",
                "persistentvolume-binder-controller");
  }

  @AfterAll
  static void stopControllers() {
    controllers.close();
  }

  @BeforeEach
  void start() throws Exception {
    LiveApi api = SharedApi.lend();
    client = api.client();
    scheduler = LiveScheduler.start(api.schedulerConfig());
    for (int i = 1; i <= NODES; i++) {
      client.resource(PodMix.node(i, "8")).create();
    }
  }

  @AfterEach
  void stop() throws Exception {
    scheduler.stop();
    client.close();
  }

  @Test
  void aDaemonSetHasAPodOnEachNodeAndADeploymentIsSpread() throws Exception {
    client
        .resource(
            new DaemonSetBuilder()
                .withNewMetadata()
                .withName("agent")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withSelector(selector("agent"))
                .withTemplate(
                    template("agent")
                        .editSpec()
                        .addNewToleration(null, "dedicated", "Exists", null, null)
                        .endSpec()
                        .build())
                .endSpec()
                .build())
        .create();
    Await.until("a pod on each node", () -> nodesOf("agent").size() == NODES);
    assertThat(nodesOf("agent")).doesNotHaveDuplicates();
    client
        .resource(
            new DeploymentBuilder()
                .withNewMetadata()
                .withName("web")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withReplicas(8)
                .withSelector(selector("web"))
                .withTemplate(template("web").build())
                .endSpec()
                .build())
        .create();
    Await.until("all replicas", () -> nodesOf("web").size() == 8);
    assertThat(nodesOf("web")).as("one each, but on that with the taint").doesNotHaveDuplicates();
  }

  /** Each replica's volume is on one node, which nobody but the scheduler brings together. */
  @Test
  void aStatefulSetFindsItsLocalVolumes() throws Exception {
    client
        .resource(
            new StorageClassBuilder()
                .withNewMetadata()
                .withName("local")
                .endMetadata()
                .withProvisioner("kubernetes.io/no-provisioner")
                .withVolumeBindingMode("WaitForFirstConsumer")
                .build())
        .create();
    for (int i = 2; i <= 4; i++) {
      volume(i);
    }
    client
        .resource(
            new StatefulSetBuilder()
                .withNewMetadata()
                .withName("db")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withPodManagementPolicy("Parallel")
                .withServiceName("db")
                .withReplicas(4)
                .withSelector(selector("db"))
                .withTemplate(template("db").build())
                .withVolumeClaimTemplates(claim())
                .endSpec()
                .build())
        .create();
    Await.until("three replicas have a volume", () -> nodesOf("db").size() == 3);
    assertThat(nodesOf("db")).containsExactlyInAnyOrder("node-0002", "node-0003", "node-0004");
    Await.until("the fourth says why it waits", () -> why("db-").contains("persistent volumes"));
    volume(6);
    Await.until("the fourth replica", () -> nodesOf("db").contains("node-0006"));
    assertThat(client.persistentVolumeClaims().inNamespace("default").list().getItems())
        .allMatch(claim -> claim.getStatus().getPhase().equals("Bound"));
  }

  @Test
  void gatesThatAreLiftedLateLetPodsGo() throws Exception {
    Pod gated =
        PodMix.plain("gated", "1")
            .editSpec()
            .addNewSchedulingGate("example.org/wait")
            .endSpec()
            .build();
    client.resource(gated).create();
    client.resource(PodMix.plain("after", "1").build()).create();
    Await.until("the other one", () -> nodeOf("after") != null);
    assertThat(nodeOf("gated")).isNull();
    Conflicts.outlast(
        () ->
            client
                .pods()
                .inNamespace("default")
                .withName("gated")
                .edit(
                    pod -> {
                      pod.getSpec().setSchedulingGates(List.of());
                      return pod;
                    }));
    Await.until("the one that was gated", () -> nodeOf("gated") != null);
  }

  private void volume(int node) {
    client
        .resource(
            new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("volume-" + node)
                .endMetadata()
                .withNewSpec()
                .addToCapacity("storage", new Quantity("10Gi"))
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName("local")
                .withNewLocal()
                .withPath("/data")
                .endLocal()
                .withNewNodeAffinity()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("kubernetes.io/hostname")
                .withOperator("In")
                .withValues("node-%04d".formatted(node))
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build())
        .create();
  }

  private static PersistentVolumeClaim claim() {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data")
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName("local")
        .withNewResources()
        .addToRequests("storage", new Quantity("1Gi"))
        .endResources()
        .endSpec()
        .build();
  }

  private static LabelSelector selector(String app) {
    return new LabelSelectorBuilder().addToMatchLabels("app", app).build();
  }

  private static PodTemplateSpecBuilder template(String app) {
    PodSpec spec = PodMix.plain(app, "500m").build().getSpec();
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(Map.of("app", app))
        .endMetadata()
        .withSpec(spec);
  }

  private List<Pod> podsOf(String app) {
    return client.pods().inNamespace("default").withLabel("app", app).list().getItems();
  }

  private List<String> nodesOf(String app) {
    return podsOf(app).stream()
        .map(pod -> pod.getSpec().getNodeName())
        .filter(node -> node != null)
        .toList();
  }

  private String nodeOf(String name) {
    return client.pods().inNamespace("default").withName(name).get().getSpec().getNodeName();
  }

  private String why(String prefix) {
    return client.pods().inNamespace("default").list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
        .flatMap(pod -> pod.getStatus().getConditions().stream())
        .map(condition -> String.valueOf(condition.getMessage()))
        .collect(Collectors.joining());
  }
}
