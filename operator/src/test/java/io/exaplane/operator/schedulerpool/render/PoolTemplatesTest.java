// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutSpec;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.operator.bundle.BeforeBundles;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Trees;
import io.exaplane.operator.schedulerpool.Pools;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A pool under an operator with another image. */
class PoolTemplatesTest {
  private static final String TREE = "shards: {replicas: 4}, relays: {fanOut: 2}";

  private Optional<ConfigMap> kept = Optional.empty();
  private Map<String, StatefulSet> live = Map.of();
  private Optional<Deployment> standIn = Optional.empty();
  private Pins pins;
  private PoolTemplates templates;

  private void pass(SchedulerPool pool, String image) {
    PoolInputs inputs = Pools.inputs(pool, image, true);
    pins =
        new Pins(
            new Pins.Owner(
                image.replace(':', '-'),
                RolloutSpec.bundle(pool.getSpec().rollout()),
                MaintenanceWindow.NONE,
                null,
                "schedulerpool",
                "p-tree-bundle"),
            kept,
            pool.getSpec());
    templates =
        PoolTemplates.of(
            pins,
            inputs,
            name -> Optional.ofNullable(live.get(name)),
            () -> standIn,
            () ->
                pins.formerSpec(SchedulerPoolSpec.class)
                    .map(
                        spec -> {
                          SchedulerPool before = Pools.pool(TREE);
                          before.setSpec(spec);
                          return Pools.inputs(before, image, true);
                        })
                    .orElse(inputs));
    live =
        PoolSets.of(inputs, templates, live).stream()
            .collect(Collectors.toMap(set -> set.getMetadata().getName(), Function.identity()));
    kept = Optional.of(BundleMap.of("p-tree-bundle", "ns", Map.of(), pins.kept(pins.moved())));
  }

  private List<PodTemplateSpec> pods() {
    return live.values().stream().map(set -> set.getSpec().getTemplate()).toList();
  }

  @Test
  void anotherOperatorReplacesNothingUntilThePoolIsMoved() {
    pass(Pools.pool(TREE), "s:1");
    List<PodTemplateSpec> made = pods();
    Optional<PodTemplateSpec> standIn = templates.fallback();
    Map<String, StatefulSet> before = live;
    pass(Pools.pool(TREE), "s:2");
    assertThat(pods()).isEqualTo(made);
    assertThat(templates.fallback()).isEqualTo(standIn);
    assertThat(live.values())
        .as("nor does a rollout begin")
        .allSatisfy(
            set ->
                assertThat(set.getMetadata().getAnnotations())
                    .isEqualTo(
                        before.get(set.getMetadata().getName()).getMetadata().getAnnotations()));
    assertThat(pins.update().verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(kept.orElseThrow().getData().get("diff")).contains("s:1", "s:2");

    pass(Pools.pool(TREE + ", restartedAt: now"), "s:2");
    assertThat(pods())
        .allSatisfy(
            pod -> {
              assertThat(pod.getMetadata().getAnnotations())
                  .containsEntry("exaplane.io/restarted-at", "now");
              assertThat(pod.getSpec().getContainers().getFirst().getImage()).isEqualTo("s:1");
            });
    assertThat(pins.bundle()).isEqualTo("s-1");

    pass(Pools.pool(TREE + ", rollout: {bundle: s-2}"), "s:2");
    assertThat(pods())
        .extracting(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .containsOnly("s:2");
    assertThat(pins.moved()).isEqualTo("s-2");
    assertThat(pins.update().verdict().met()).isFalse();
  }

  /** Whatever the first operator that knows bundles finds, it applies as it was applied before. */
  @Test
  void aPoolFromBeforeBundlesStaysAsItIs() {
    Map<String, BeforeBundles.Recorded<StatefulSet>> sets =
        BeforeBundles.of("schedulerpool", StatefulSet.class);
    BeforeBundles.Recorded<Deployment> fallback =
        BeforeBundles.of("schedulerpool", Deployment.class).get("p-fallback");
    live = new TreeMap<>();
    sets.forEach((name, set) -> live.put(name, set.live()));
    standIn = Optional.of(fallback.live());
    for (int pass = 0; pass < 3; pass++) {
      pass(Pools.pool(TREE), "s:2");
      assertThat(live.keySet()).isEqualTo(sets.keySet());
      live.forEach(
          (name, set) -> {
            StatefulSet sent = sets.get(name).sent();
            assertThat(Trees.of(set.getSpec())).as(name).isEqualTo(Trees.of(sent.getSpec()));
            assertThat(set.getMetadata().getAnnotations())
                .as("nor does a rollout begin")
                .isEqualTo(sent.getMetadata().getAnnotations());
          });
      assertThat(Trees.of(templates.fallback().orElseThrow()))
          .isEqualTo(Trees.of(fallback.sent().getSpec().getTemplate()));
      assertThat(pins.moved()).isEqualTo(Pins.UNRECORDED);
      assertThat(pins.update().verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    }
    pass(Pools.pool(TREE + ", rollout: {bundle: s-2}"), "s:2");
    assertThat(pods())
        .extracting(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .containsOnly("s:2");
    assertThat(pins.moved()).isEqualTo("s-2");
  }
}
