// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Line 6: a store's volume grows where it is, by Kubernetes' own controllers and the provisioner of
 * the test bed. First its class forbids that.
 */
@Tag("long")
class GrownVolumeProcessTest {
  private static final String NAMESPACE = "grows";
  private static final String SHARD = "demo-default";
  private static final String CLASS = "grows";
  private static final String STORAGE = "storage";
  private static final Duration MOST = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(20);
  private static final Duration STOP = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private KubernetesClient client;

  @Test
  void itHasTheSameDataAndMoreRoom() throws Exception {
    try (Management cluster = Management.start(folder);
        BlackHole _ = BlackHole.of(Management.SERVICES)) {
      client = cluster.client();
      cluster.startVolumeControllers();
      storageClass();
      Process provisioner = provisioner(cluster);
      try (ReadyPods _ = new ReadyPods(client, Set.of(NAMESPACE));
          OperatorProcess operator =
              OperatorProcess.start(
                  "operator-a",
                  folder,
                  cluster.operatorKubeconfig(),
                  Management.shippedLimitBytes(),
                  INTERVAL)) {
        Watch watch = new Watch(cluster, operator, MOST);
        create();
        watch.until("the claim is there", () -> claim().get() != null);
        scheduled();
        watch.until("the claim is bound", () -> capacity().isPresent());
        grows(watch);
      } finally {
        provisioner.destroy();
        if (!provisioner.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
          provisioner.destroyForcibly().onExit().join();
        }
      }
    }
  }

  private void grows(Watch watch) throws Exception {
    watch.until("the store's pod runs", () -> pod().isPresent());
    PersistentVolumeClaim before = claim().get();
    String pod = pod().orElseThrow();
    String quota = quota();
    client
        .resources(ControlPlane.class)
        .inNamespace(NAMESPACE)
        .withName("demo")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\":{\"storage\":{\"stores\":[{\"name\":\"default\",\"storage\":{\"size\":\"3Gi\",\"storageClassName\":\"grows\"}}]}}}");
    watch.until("its class forbids that", () -> told().contains("allowVolumeExpansion"));
    assertThat(capacity()).contains(new Quantity("1Gi"));
    assertThat(pod()).as("as nothing can be done").contains(pod);
    client
        .storage()
        .v1()
        .storageClasses()
        .withName(CLASS)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"allowVolumeExpansion\":true}");
    watch.until("it has more room", this::isSized);
    watch.until("its pod was replaced", () -> pod().filter(now -> !now.equals(pod)).isPresent());
    assertThat(quota()).as("what the store may keep").isNotEqualTo(quota);
    assertThat(capacity()).contains(new Quantity("3Gi"));
    PersistentVolumeClaim after = claim().get();
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getSpec().getVolumeName()).isEqualTo(before.getSpec().getVolumeName());
    assertThat(
            client
                .persistentVolumes()
                .withName(after.getSpec().getVolumeName())
                .get()
                .getSpec()
                .getCapacity())
        .containsEntry(STORAGE, new Quantity("3Gi"));
    assertThat(shard().getStatus().volumeSize()).isEqualTo("3Gi");
  }

  private void storageClass() {
    client
        .resource(
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: grows}
            provisioner: exaplane.io/local
            reclaimPolicy: Delete
            volumeBindingMode: WaitForFirstConsumer
            """)
        .create();
  }

  private Process provisioner(Management cluster) throws Exception {
    return new ProcessBuilder(
            Machine.environment("EXA_PROVISIONER"),
            "--kubeconfig=" + cluster.adminKubeconfig(),
            "--root=" + folder.resolve("volumes"))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("provisioner.log").toFile())
        .start();
  }

  private void create() {
    client
        .resource(
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: grows}
            """)
        .create();
    client
        .resource(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            metadata: {name: demo, namespace: grows}
            spec:
              version: %s
              maxNodes: 10
              storage: {stores: [{name: default, storage: {size: 1Gi, storageClassName: grows}}]}
            """
                .formatted(Kubernetes.version()))
        .create();
  }

  /** As kube-scheduler does, for which the only node is cordoned. */
  private void scheduled() {
    claim()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"annotations\":{\"volume.kubernetes.io/selected-node\":\"cordoned\"}}}");
  }

  private Resource<PersistentVolumeClaim> claim() {
    return client.persistentVolumeClaims().inNamespace(NAMESPACE).withName("data-" + SHARD + "-0");
  }

  private Optional<Quantity> capacity() {
    return Optional.ofNullable(claim().get().getStatus().getCapacity())
        .map(amounts -> amounts.get(STORAGE));
  }

  /** The UID of the store's pod that runs. */
  private Optional<String> pod() {
    return Optional.ofNullable(client.pods().inNamespace(NAMESPACE).withName(SHARD + "-0").get())
        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
        .map(pod -> pod.getMetadata().getUid());
  }

  /** What the store's pods are told that they may keep. */
  private String quota() {
    return client
        .apps()
        .statefulSets()
        .inNamespace(NAMESPACE)
        .withName(SHARD)
        .get()
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .stream()
        .flatMap(container -> container.getArgs().stream())
        .filter(flag -> flag.startsWith("--quota-backend-bytes="))
        .findFirst()
        .orElse("");
  }

  private StoreShard shard() {
    return client.resources(StoreShard.class).inNamespace(NAMESPACE).withName(SHARD).get();
  }

  private Optional<Condition> sized() {
    return shard().getStatus().conditions().stream()
        .filter(condition -> condition.type().equals("VolumeSized"))
        .findFirst();
  }

  private String told() {
    return sized().map(Condition::message).orElse("");
  }

  private boolean isSized() {
    return sized().map(Condition::status).filter(Condition.TRUE::equals).isPresent();
  }
}
