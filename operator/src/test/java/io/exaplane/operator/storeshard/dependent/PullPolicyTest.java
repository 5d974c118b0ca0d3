// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.config.OperatorConfig;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.render.Components;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.render.PoolSets;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node never keeps an old image under a tag that each build writes again. */
class PullPolicyTest {
  @ParameterizedTest
  @CsvSource({
    "quay.io/exaplane/store:0.1.0-SNAPSHOT, Always",
    "registry:5000/exaplane/store:0.1.0-SNAPSHOT, Always",
    "quay.io/exaplane/store:0.1.0, IfNotPresent",
    "quay.io/exaplane/store-SNAPSHOT:0.1.0, IfNotPresent",
    "quay.io/exaplane/store:0.1.0-SNAPSHOT@sha256:0a, IfNotPresent",
    "quay.io/exaplane/store:1f00ac0de, IfNotPresent"
  })
  void followsTheTag(String image, String policy) {
    assertThat(Images.pullPolicy(image)).isEqualTo(policy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1.0-SNAPSHOT", "0.1.0"})
  void ofEveryContainerFollowsItsImage(String tag) {
    List<Container> containers = new ArrayList<>();
    for (PodSpec pod : pods(tag)) {
      containers.addAll(pod.getInitContainers());
      containers.addAll(pod.getContainers());
    }
    assertThat(containers)
        .hasSizeGreaterThan(8)
        .allSatisfy(
            container ->
                assertThat(container.getImagePullPolicy())
                    .as(container.getImage())
                    .isEqualTo(Images.pullPolicy(container.getImage())));
    assertThat(containers)
        .filteredOn(container -> container.getImage().startsWith("quay.io/exaplane/"))
        .extracting(Container::getImagePullPolicy)
        .containsOnly(tag.endsWith("-SNAPSHOT") ? "Always" : "IfNotPresent");
  }

  /** The components' images of Kubernetes are releases, and stay on their nodes. */
  @Test
  void ofKubernetesIsIfNotPresent() {
    assertThat(pods("0.1.0-SNAPSHOT"))
        .flatExtracting(PodSpec::getContainers)
        .filteredOn(container -> container.getImage().startsWith("registry.k8s.io/"))
        .hasSizeGreaterThan(3)
        .extracting(Container::getImagePullPolicy)
        .containsOnly("IfNotPresent");
  }

  private static List<PodSpec> pods(String tag) {
    Images images = new Images(new Tagged(tag), null);
    List<PodSpec> pods = new ArrayList<>();
    var inputs =
        Fixtures.inputs(
            Fixtures.controlPlane("{version: 1.36.3, maxNodes: 100}"),
            "d",
            "quay.io/exaplane/operator:" + tag);
    for (var made :
        List.of(
            Components.apiServer(inputs, Optional.empty()),
            Components.controllerManager(inputs, Optional.empty(), Optional.empty()),
            Components.scheduler(inputs, Optional.empty(), Optional.empty()))) {
      pods.add(made.getSpec().getTemplate().getSpec());
    }
    StoreShard memory = shard("Memory");
    pods.add(pod(MemoryStatefulSet.render(memory, images, Optional.empty(), true)));
    pods.add(pod(EtcdStatefulSet.render(shard("Etcd"), images, Optional.empty(), true)));
    SchedulerPool pool = Pools.pool("shards: {replicas: 2}");
    var ofPool = Pools.inputs(pool, "quay.io/exaplane/scheduler:" + tag, false);
    PoolSets.of(ofPool, Pools.templates(ofPool), Map.of()).forEach(set -> pods.add(pod(set)));
    return pods;
  }

  private static PodSpec pod(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec();
  }

  private static StoreShard shard(String engine) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: %s, criticality: Critical, tls: {secretRef: {name: t}}}
        """
            .formatted(engine),
        StoreShard.class);
  }

  private record Tagged(String tag) implements OperatorConfig {
    @Override
    public String imageRegistry() {
      return "registry.k8s.io";
    }

    @Override
    public Optional<String> imagePullSecret() {
      return Optional.empty();
    }

    @Override
    public String operatorImage() {
      return "quay.io/exaplane/operator:" + tag;
    }

    @Override
    public String storeImage() {
      return "quay.io/exaplane/store:" + tag;
    }

    @Override
    public String schedulerImage() {
      return "quay.io/exaplane/scheduler:" + tag;
    }

    @Override
    public String etcdTag() {
      return "3.6.8-0";
    }
  }
}
