// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.EndpointAddress;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.observe.Sighting;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.EncryptionKey;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RotationProgressTest {
  private static final Instant STEP = Instant.parse("2026-06-01T00:00:00Z");
  private final ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
  private final CertificateAuthority authority =
      new CertificateAuthority(
          CertificateAuthority.create("c", Clock.systemUTC()), Clock.systemUTC());

  private Authorities keys(Stage stage, int step) {
    RotatedKey none = new RotatedKey(Stage.SINGLE, 0, STEP, Map.of(), Map.of());
    return new Authorities(
        authority,
        authority,
        "",
        authority,
        authority,
        "",
        "",
        new RotatedKey(stage, step, STEP, Map.of(), Map.of()),
        none);
  }

  /** While the second step is being taken. */
  private Authorities encrypting() {
    RotatedKey key =
        new RotatedKey(
            Stage.ISSUING,
            2,
            STEP,
            Map.of("key", EncryptionKey.make(List.of("secrets")).text()),
            Map.of("key", EncryptionKey.IDENTITY.text()));
    RotatedKey none = new RotatedKey(Stage.SINGLE, 0, STEP, Map.of(), Map.of());
    return new Authorities(
        authority, authority, "", authority, authority, "", "", none, none, Optional.of(key));
  }

  /** A pod that ends is counted by no Deployment, and writes by the former key. */
  @Test
  void encryptionWaitsForTheLastPodAndForTheFileInTheTemplate() {
    Authorities keys = encrypting();
    Deployment manager = deployment("controller-manager", "", true);
    Deployment scheduler = deployment("scheduler", "", true);
    Deployment api = encrypting(NOW, "7", true);
    assertThat(remaining(keys, List.of(pod(NOW, "b")), api, manager, scheduler)).isEmpty();
    assertThat(remaining(keys, List.of(pod(NOW, "b"), pod(BEFORE, "a")), api, manager, scheduler))
        .containsExactly("demo-apiserver");
    assertThat(
            remaining(
                keys, List.of(pod(NOW, "b")), encrypting(BEFORE, "7", true), manager, scheduler))
        .containsExactly("demo-apiserver");
  }

  /** Only by what pods use: a server that is not ready for a moment writes by no other key. */
  @Test
  void whoWritesIsKnownWhileAllPodsUseThePresentStep() {
    Deployment api = encrypting(NOW, "7", true);
    List<Pod> all = List.of(pod(NOW, "b"), pod(NOW, "b"));
    assertThat(servers(all, api)).contains("uid/7");
    assertThat(servers(List.of(), api)).as("nobody writes").contains("uid/7");
    assertThat(servers(all, encrypting(NOW, "7", false))).as("not ready").contains("uid/7");
    assertThat(servers(all, encrypting(NOW, "9", true))).as("after two undos").contains("uid/9");
    assertThat(servers(List.of(pod(NOW, "b"), pod(BEFORE, "a")), api))
        .as("a pod of an older template, ready or not")
        .isEmpty();
    assertThat(servers(List.of(pod(NOW, "b"), pod(NOW, "a")), api))
        .as("an older template of the same step")
        .isEmpty();
    assertThat(servers(all, encrypting(BEFORE, "8", true))).as("an undo").isEmpty();
    assertThat(servers(all, encrypting(NOW, null, true))).as("not seen yet").isEmpty();
    assertThat(servers(all)).as("no Deployment").isEmpty();
  }

  private Optional<String> servers(List<Pod> pods, Deployment... deployments) {
    return RotationProgress.servers(seen(OWN, pods, deployments), encrypting());
  }

  private static final String NOW = "encryption-2.yaml";
  private static final String BEFORE = "encryption-1.yaml";

  private static Deployment encrypting(String file, String revision, boolean ready) {
    return deployment("apiserver", "enc-2", true)
        .edit()
        .editMetadata()
        .withUid("uid")
        .withAnnotations(revision == null ? null : Map.of(Rollout.REVISION, revision))
        .endMetadata()
        .editSpec()
        .editTemplate()
        .withSpec(server(file))
        .endTemplate()
        .endSpec()
        .editStatus()
        .withAvailableReplicas(ready ? 1 : 0)
        .endStatus()
        .build();
  }

  private static Pod pod(String file, String hash) {
    return new PodBuilder()
        .withNewMetadata()
        .addToLabels("app.kubernetes.io/component", "apiserver")
        .addToLabels(Rollout.TEMPLATE_HASH, hash)
        .endMetadata()
        .withSpec(server(file))
        .build();
  }

  private static PodSpec server(String file) {
    return new PodSpecBuilder()
        .addNewContainer()
        .withName("of-a-webhook")
        .endContainer()
        .addNewContainer()
        .withCommand("kube-apiserver", "--encryption-provider-config=/etc/kubernetes/pki/" + file)
        .endContainer()
        .build();
  }

  private List<String> remaining(
      Authorities keys, Scheduling scheduling, Deployment... deployments) {
    return remaining(keys, scheduling, List.of(), deployments);
  }

  private List<String> remaining(Authorities keys, List<Pod> pods, Deployment... deployments) {
    return remaining(keys, OWN, pods, deployments);
  }

  private static Deployment deployment(String component, String epoch, boolean complete) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("demo-" + component)
        .withGeneration(2L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .withNewTemplate()
        .withNewMetadata()
        .addToAnnotations(epoch.isEmpty() ? "other" : Rollout.ROTATION_EPOCH, epoch)
        .endMetadata()
        .endTemplate()
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(complete ? 2L : 1L)
        .withReplicas(1)
        .withUpdatedReplicas(1)
        .withAvailableReplicas(1)
        .endStatus()
        .build();
  }

  private List<String> remaining(
      Authorities keys, Scheduling scheduling, List<Pod> pods, Deployment... deployments) {
    return RotationProgress.remaining(seen(scheduling, pods, deployments), keys);
  }

  private Sighting seen(Scheduling scheduling, List<Pod> pods, Deployment... deployments) {
    return new Sighting(
        Fixtures.sized(controlPlane),
        List.of(),
        Optional.empty(),
        new EndpointAddress.Result(Optional.empty(), Optional.empty()),
        new EndpointAddress.Result(Optional.empty(), Optional.empty()),
        Optional.empty(),
        List.of(deployments),
        pods,
        scheduling,
        TaskOrders.NONE);
  }

  private static final Scheduling OWN = new Scheduling(Optional.empty(), Optional.empty(), false);

  @Test
  void aComponentRemainsUntilItsPodsAreCompleteWithTheStep() {
    Deployment api = deployment("apiserver", "ca-1", true);
    Deployment manager = deployment("controller-manager", "ca-1", true);
    assertThat(
            remaining(
                keys(Stage.TRUSTED, 1), OWN, api, manager, deployment("scheduler", "ca-1", true)))
        .isEmpty();
    assertThat(
            remaining(
                keys(Stage.TRUSTED, 1), OWN, api, manager, deployment("scheduler", "ca-1", false)))
        .containsExactly("demo-scheduler");
    assertThat(remaining(keys(Stage.TRUSTED, 1), OWN, api))
        .containsExactly("demo-controller-manager", "demo-scheduler");
    assertThat(
            remaining(
                keys(Stage.ISSUING, 2),
                OWN,
                api,
                deployment("controller-manager", "ca-2", true),
                deployment("scheduler", "", true)))
        .as("nothing changes for servers")
        .containsExactly("demo-scheduler");
    assertThat(
            remaining(
                keys(Stage.SINGLE, 0),
                OWN,
                deployment("apiserver", "", true),
                deployment("controller-manager", "", true),
                deployment("scheduler", "", false)))
        .as("a rotation begins when nothing else is being replaced")
        .containsExactly("demo-scheduler");
  }

  @Test
  void aPoolRemainsUntilItHasReplacedItsRootsAfterTheStep() {
    Deployment api = deployment("apiserver", "ca-1", true);
    Deployment manager = deployment("controller-manager", "ca-1", true);
    for (var row : Map.of("2026-05-31T23:59:59Z", false, "2026-06-01T00:00:01Z", true).entrySet()) {
      SchedulerPool pool =
          Serialization.unmarshal(
              """
              apiVersion: exaplane.io/v1alpha1
              kind: SchedulerPool
              metadata: {name: pool}
              status: {conditions: [{type: Progressing, status: "False", lastTransitionTime: "%s"}]}
              """
                  .formatted(row.getKey()),
              SchedulerPool.class);
      Scheduling scheduling = new Scheduling(Optional.of("pool"), Optional.of(pool), true);
      assertThat(remaining(keys(Stage.TRUSTED, 1), scheduling, api, manager).isEmpty())
          .isEqualTo(row.getValue());
    }
  }
}
