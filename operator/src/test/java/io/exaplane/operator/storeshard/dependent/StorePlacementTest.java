// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How nodes treat a store's pod, and that one that runs is not replaced for it. */
class StorePlacementTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "Memory, Critical,   EmptyDir,         true,  exaplane-store-critical, not-ready unreachable",
        "Memory, Critical,   EmptyDir,         false, -,                       not-ready unreachable",
        "Memory, Critical,   PersistentVolume, true,  exaplane-store-critical, not-ready=300 unreachable",
        "Etcd,   Critical,   PersistentVolume, true,  exaplane-store-critical, not-ready=300 unreachable",
        "Memory, BestEffort, EmptyDir,         true,  -,                       ''",
        "Etcd,   BestEffort, PersistentVolume, true,  -,                       ''",
      })
  void itFollowsFromWhatTheStoreIsFor(
      String engine,
      String criticality,
      String volume,
      boolean hasClass,
      String priority,
      String tolerations) {
    PodSpec pod = pod(render(shard(engine, criticality, volume, ""), Optional.empty(), hasClass));
    assertThat(pod.getPriorityClassName()).isEqualTo(priority);
    assertThat(tolerations(pod)).isEqualTo(tolerations);
  }

  /** One that an operator made that knew nothing of this, as an API server gives it back. */
  @ParameterizedTest
  @CsvSource({
    "Memory, EmptyDir",
    "Memory, PersistentVolume",
    "Etcd, EmptyDir",
    "Etcd, PersistentVolume"
  })
  void aStoreThatRunsKeepsItsTemplate(String engine, String volume) {
    StoreShard shard = shard(engine, "Critical", volume, "");
    StatefulSet old = old(render(shard, Optional.empty(), false));
    StatefulSet now = render(shard, Optional.of(old), true);
    if (volume.equals("EmptyDir")) {
      // Its template replaces no pod; the next one has the guard.
      now.getSpec().getTemplate().getSpec().setInitContainers(List.of());
    }
    assertThat(now.getSpec().getTemplate()).isEqualTo(old.getSpec().getTemplate());
    StatefulSet young = render(shard, Optional.empty(), true);
    assertThat(render(shard, Optional.of(young), false).getSpec().getTemplate())
        .as("also when the class cannot be seen any more")
        .isEqualTo(young.getSpec().getTemplate());
  }

  @Test
  void whatReplacesItAnywayBringsTheRest() {
    StatefulSet old =
        old(render(shard("Memory", "Critical", "PersistentVolume", ""), Optional.empty(), false));
    StoreShard changed =
        shard(
            "Memory",
            "Critical",
            "PersistentVolume",
            ", resources: {limits: {cpu: 1, memory: 2Gi}}");
    PodSpec pod = pod(render(changed, Optional.of(old), true));
    assertThat(pod.getPriorityClassName()).isEqualTo("exaplane-store-critical");
    assertThat(tolerations(pod)).isEqualTo("not-ready=300 unreachable");
    StatefulSet next = render(changed, Optional.of(render(changed, Optional.of(old), true)), true);
    assertThat(pod(next)).as("once").isEqualTo(pod);
  }

  @Test
  void aCriticalStoreOfNobodysIsGuaranteedWhatItHasAndTheOthersAreNot() {
    ResourceRequirements own = resources(shard("Memory", "Critical", "EmptyDir", ""));
    assertThat(own.getRequests()).isEqualTo(own.getLimits()).containsOnlyKeys("cpu", "memory");
    assertThat(resources(shard("Memory", "BestEffort", "EmptyDir", "")).getRequests())
        .containsEntry("memory", new Quantity("256Mi"));
    StoreShard ofControlPlane = shard("Memory", "Critical", "EmptyDir", "");
    ofControlPlane
        .getMetadata()
        .setOwnerReferences(
            Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}")));
    assertThat(resources(ofControlPlane).getRequests())
        .as("its control plane says what it is guaranteed")
        .containsEntry("memory", new Quantity("256Mi"));
  }

  private static ResourceRequirements resources(StoreShard shard) {
    return pod(render(shard, Optional.empty(), true)).getContainers().getFirst().getResources();
  }

  /** Before there was any of it: without class and tolerations, and with small requests. */
  private static StatefulSet old(StatefulSet set) {
    StatefulSet old = new KubernetesSerialization().clone(set);
    PodSpec pod = pod(old);
    pod.setPriorityClassName(null);
    pod.setTolerations(List.of());
    pod.setInitContainers(List.of());
    if (pod.getContainers().getFirst().getName().equals("store")) {
      pod.getContainers()
          .getFirst()
          .getResources()
          .setRequests(Map.of("cpu", new Quantity("50m"), "memory", new Quantity("256Mi")));
      pod.getContainers()
          .getFirst()
          .getResources()
          .setLimits(Map.of("memory", new Quantity("4Gi")));
    }
    return old;
  }

  private static String tolerations(PodSpec pod) {
    return pod.getTolerations().stream()
        .map(StorePlacementTest::text)
        .collect(Collectors.joining(" "));
  }

  private static String text(Toleration toleration) {
    assertThat(toleration.getEffect()).isEqualTo("NoExecute");
    assertThat(toleration.getOperator()).isEqualTo("Exists");
    String taint = toleration.getKey().substring("node.kubernetes.io/".length());
    return toleration.getTolerationSeconds() == null
        ? taint
        : taint + "=" + toleration.getTolerationSeconds();
  }

  private static PodSpec pod(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec();
  }

  private static StatefulSet render(
      StoreShard shard, Optional<StatefulSet> existing, boolean hasClass) {
    Images images = new Images(new Fixtures.Config("operator:1"), null);
    return switch (shard.getSpec().engine()) {
      case Memory -> MemoryStatefulSet.render(shard, images, existing, hasClass);
      case Etcd -> EtcdStatefulSet.render(shard, images, existing, hasClass);
    };
  }

  private static StoreShard shard(String engine, String criticality, String volume, String more) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: %s, criticality: %s, storage: {type: %s}, tls: {secretRef: {name: t}}%s}
        """
            .formatted(engine, criticality, volume, more),
        StoreShard.class);
  }
}
