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
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How nodes treat a store's pod. */
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
