// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.schedulerpool.Pools;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PoolSetsTest {
  private static final String TREE = "shards: {replicas: 4}, relays: {fanOut: 2}";

  private static Map<String, StatefulSet> render(
      SchedulerPool pool, String image, Map<String, StatefulSet> existing) {
    PoolInputs inputs = Pools.inputs(pool, image, false);
    return PoolSets.of(inputs, Pools.templates(inputs), existing).stream()
        .collect(
            Collectors.toMap(
                s -> s.getMetadata().getName(), s -> s, (a, _) -> a, LinkedHashMap::new));
  }

  /** As Kubernetes shows them when so many pods of a tier are of the newest template and ready. */
  private static Map<String, StatefulSet> settled(Map<String, StatefulSet> sets) {
    Map<String, StatefulSet> all = new LinkedHashMap<>();
    sets.forEach((name, set) -> all.put(name, with(set, set.getSpec().getReplicas())));
    return all;
  }

  private static StatefulSet with(StatefulSet set, int updated) {
    int replicas = set.getSpec().getReplicas();
    return new StatefulSetBuilder(set)
        .editMetadata()
        .withGeneration(1L)
        .endMetadata()
        .withNewStatus()
        .withObservedGeneration(1L)
        .withReplicas(replicas)
        .withReadyReplicas(replicas)
        .withUpdatedReplicas(updated)
        .withCurrentRevision(updated == replicas ? "new" : "old")
        .withUpdateRevision("new")
        .endStatus()
        .build();
  }

  private static Container container(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  private static int held(StatefulSet set) {
    return set.getSpec().getUpdateStrategy().getRollingUpdate().getPartition();
  }

  @Test
  void oneProcessHoldsAllRolesWhereThereAreNoShards() {
    Map<String, StatefulSet> sets = render(Pools.pool(""), "s:1", Map.of());
    assertThat(sets).containsOnlyKeys("p-root");
    assertThat(container(sets.get("p-root")).getArgs())
        .containsExactly(
            "--role=root",
            "--kubeconfig=/etc/kubernetes/pki/kubeconfig",
            "--config=/etc/exaplane/configuration/config.yaml",
            "--leader-elect-resource-name=kube-scheduler");
    assertThat(sets.get("p-root").getSpec().getReplicas()).isEqualTo(2);
    assertThat(sets.get("p-root").getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry(
            "exaplane.io/configuration",
            "{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":\"KubeSchedulerConfiguration\",\"profiles\":[{\"schedulerName\":\"default-scheduler\"}]}");
    assertThat(PoolServices.of(Pools.pool(""))).isEmpty();
    assertThat(PoolBudgets.of(Pools.pool(""))).hasSize(1);
  }

  @Test
  void shardsGoToRelaysInTurnAndThenToRoots() {
    Map<String, StatefulSet> sets = render(Pools.pool(TREE), "s:1", Map.of());
    assertThat(sets.keySet()).containsExactly("p-shard", "p-relay", "p-root");
    assertThat(container(sets.get("p-shard")).getArgs())
        .contains(
            "--role=shard",
            "--tree-parents=[fd00::10]:7443+[fd00::11]:7443,[fd00::20]:7443,[fd00::21]:7443",
            "--tree-trusted-ca-file=/etc/exaplane/tree/ca.crt")
        .noneMatch(argument -> argument.startsWith("--kubeconfig"));
    assertThat(container(sets.get("p-relay")).getArgs())
        .contains("--tree-parents=[fd00::20]:7443,[fd00::21]:7443", "--tree-listen=[::]:7443");
    assertThat(container(sets.get("p-root")).getArgs()).contains("--tree-listen=[::]:7443");
    assertThat(PoolServices.of(Pools.pool(TREE)))
        .extracting(s -> s.getMetadata().getName())
        .containsExactly("p-root-0", "p-root-1", "p-relay-0", "p-relay-1");
  }

  @Test
  void onlyRootsHaveTheClustersCredentials() {
    render(Pools.pool(TREE), "s:1", Map.of())
        .forEach(
            (name, set) ->
                assertThat(set.getSpec().getTemplate().getSpec().getVolumes())
                    .extracting(Volume::getName)
                    .satisfies(
                        volumes ->
                            assertThat(volumes.contains("pki")).isEqualTo(name.equals("p-root"))));
  }

  @Test
  void aChangeReachesShardsFirstAndRootsLast() {
    Map<String, StatefulSet> before = settled(render(Pools.pool(TREE), "s:1", Map.of()));
    SchedulerPool changed = Pools.pool(TREE + ", restartedAt: now");
    Map<String, StatefulSet> now = render(changed, "s:1", before);
    assertThat(held(now.get("p-shard"))).isZero();
    assertThat(held(now.get("p-relay"))).isPositive();
    assertThat(held(now.get("p-root"))).isPositive();

    Map<String, StatefulSet> halfway = new LinkedHashMap<>();
    now.forEach((name, set) -> halfway.put(name, with(set, name.equals("p-shard") ? 2 : 0)));
    assertThat(held(render(changed, "s:1", halfway).get("p-relay"))).isPositive();

    halfway.put("p-shard", with(now.get("p-shard"), 4));
    now = render(changed, "s:1", halfway);
    assertThat(held(now.get("p-relay"))).isZero();
    assertThat(held(now.get("p-root"))).isPositive();

    halfway.put("p-relay", with(now.get("p-relay"), 2));
    assertThat(held(render(changed, "s:1", halfway).get("p-root"))).isZero();
  }

  @Test
  void aShardThatIsNotReadyAnyMoreHoldsNoRootBack() {
    Map<String, StatefulSet> before = settled(render(Pools.pool(TREE), "s:1", Map.of()));
    before.put(
        "p-shard",
        new StatefulSetBuilder(before.get("p-shard"))
            .editStatus()
            .withReadyReplicas(3)
            .endStatus()
            .build());
    SchedulerPool changed =
        Pools.pool(TREE + ", profile: {plugins: {score: {disabled: [{name: ImageLocality}]}}}");
    assertThat(held(render(changed, "s:1", before).get("p-root"))).isZero();
  }

  @Test
  void moreShardsReplaceNone() {
    Map<String, StatefulSet> before =
        settled(render(Pools.pool("shards: {replicas: 3}"), "s:1", Map.of()));
    Map<String, StatefulSet> now = render(Pools.pool("shards: {replicas: 5}"), "s:1", before);
    assertThat(now.get("p-shard").getSpec().getTemplate())
        .isEqualTo(before.get("p-shard").getSpec().getTemplate());
    assertThat(now.get("p-shard").getSpec().getReplicas()).isEqualTo(5);
  }

  @Test
  void memoryIsTheModelsOrTheUsers() {
    assertThat(container(render(Pools.pool(""), "s:1", Map.of()).get("p-root")).getResources())
        .satisfies(
            resources -> {
              assertThat(resources.getRequests())
                  .containsEntry("memory", new Quantity("320Mi"))
                  .containsEntry("cpu", new Quantity("100m"));
              assertThat(resources.getLimits()).containsEntry("memory", new Quantity("640Mi"));
            });
    SchedulerPool own = Pools.pool("roots: {resources: {requests: {memory: 7Gi, cpu: 4}}}");
    assertThat(container(render(own, "s:1", Map.of()).get("p-root")).getResources())
        .satisfies(
            resources -> {
              assertThat(resources.getRequests())
                  .containsEntry("memory", new Quantity("7Gi"))
                  .containsEntry("cpu", new Quantity("4"));
              assertThat(resources.getLimits())
                  .containsEntry("memory", new Quantity("28Gi"))
                  .containsEntry("cpu", new Quantity("16"));
            });
  }

  @Test
  void theStandInHasThePoolsNameProfileAndLease() {
    SchedulerPool pool =
        Pools.pool(
            "schedulerName: batch, profile: {plugins: {score: {disabled: [{name: ImageLocality}]}}, pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [x.io/y]}}]}");
    assertThat(PoolFallback.of(Pools.inputs(pool, "s:1", false))).isEmpty();
    var pod =
        PoolFallback.of(Pools.inputs(pool, "s:1", true)).orElseThrow().getSpec().getTemplate();
    assertThat(pod.getMetadata().getAnnotations().get("exaplane.io/configuration"))
        .contains(
            "\"resourceName\":\"exaplane-batch\"",
            "\"schedulerName\":\"batch\"",
            "\"disabled\":[{\"name\":\"ImageLocality\"}]",
            "\"ignoredResources\":[\"x.io/y\"]",
            "\"kubeconfig\":\"/etc/kubernetes/pki/kubeconfig\"");
    assertThat(pod.getSpec().getContainers().getFirst().getImage())
        .isEqualTo("registry.k8s.io/kube-scheduler:v1.36.3");
    assertThat(pod.getSpec().getContainers().getFirst().getCommand())
        .startsWith("kube-scheduler")
        .contains("--tls-cert-file=/etc/kubernetes/pki/server.crt");
  }
}
