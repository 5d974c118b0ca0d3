// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.bundle.BeforeBundles;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Trees;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store's pod under an operator with another flag, resource and image. */
class StorePinsTest {
  private static final String NODE_LEASES =
      "--prefix-durability=/registry/leases/kube-node-lease/=memory";
  private static final String EVENTS = "--prefix-durability=/registry/events/=memory";

  private Optional<ConfigMap> kept = Optional.empty();
  private Optional<StatefulSet> live = Optional.empty();
  private Pins pins;

  private static StoreShard shard(String engine, String volume, String more) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: %s, criticality: Critical, storage: {type: %s}, tls: {secretRef: {name: t}}%s}
        """
            .formatted(engine, volume, more),
        StoreShard.class);
  }

  private StatefulSet rendered(StoreShard shard, boolean other) {
    Images images = new Images(new Fixtures.Config(other ? "operator:2" : "operator:1"), null);
    StatefulSet made =
        switch (shard.getSpec().engine()) {
          case Memory -> MemoryStatefulSet.render(shard, images, live, true);
          case Etcd -> EtcdStatefulSet.render(shard, images, live, true);
        };
    Container container = made.getSpec().getTemplate().getSpec().getContainers().getFirst();
    if (other) {
      List<String> flags = new ArrayList<>(container.getArgs());
      flags.add("--of-the-new-operator");
      container.setArgs(flags);
      container.getResources().getLimits().put("ephemeral-storage", new Quantity("1Gi"));
      container.setImage(container.getImage() + "-new");
    }
    return made;
  }

  private StatefulSet pass(StoreShard shard, boolean other) {
    pins = StorePins.open(shard, other ? "2-b" : "1-a", Instant.EPOCH, "storeshard", kept);
    StatefulSet set =
        StorePins.pin(
            pins,
            rendered(shard, other),
            () -> live,
            () -> {
              StoreShard former = shard("Memory", "EmptyDir", "");
              former.setMetadata(shard.getMetadata());
              former.setSpec(pins.formerSpec(StoreShardSpec.class).orElse(shard.getSpec()));
              return rendered(former, other);
            });
    kept = Optional.of(BundleMap.of("s-store-bundle", "ns", Map.of(), pins.kept(pins.moved())));
    live = Optional.of(set);
    return set;
  }

  /** Of an earlier operator, whose StatefulSet took the claim along; the bundle stays pinned. */
  @ParameterizedTest
  @ValueSource(strings = {"Memory", "Etcd"})
  void aPinnedStoreStopsLosingItsClaimWithItsStatefulSetAndKeepsItsPod(String engine) {
    StoreShard shard = shard(engine, "PersistentVolume", ", deletion: Delete");
    StatefulSet before = pass(shard, false);
    shard.setStatus(Serialization.unmarshal("bundle: 1-a", StoreShardStatus.class));
    before.getSpec().getPersistentVolumeClaimRetentionPolicy().setWhenDeleted("Delete");
    StatefulSet after = pass(shard, true);
    assertThat(after.getSpec().getPersistentVolumeClaimRetentionPolicy().getWhenDeleted())
        .isEqualTo("Retain");
    assertThat(after.getSpec().getTemplate()).isEqualTo(before.getSpec().getTemplate());
    assertThat(after.getSpec().getVolumeClaimTemplates())
        .isEqualTo(before.getSpec().getVolumeClaimTemplates());
  }

  @ParameterizedTest
  @CsvSource({
    "Memory, PersistentVolume",
    "Memory, EmptyDirLosesDataWithPod",
    "Etcd, PersistentVolume",
    "Etcd, EmptyDirLosesDataWithPod"
  })
  void staysAsItIsUntilItIsMoved(String engine, String volume) {
    StoreShard shard = shard(engine, volume, "");
    StatefulSet made = pass(shard, false);
    assertThat(pass(shard, true)).isEqualTo(made);
    assertThat(pins.update().verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(kept.orElseThrow().getData().get("diff"))
        .contains("+    - \"--of-the-new-operator\"", "-new\"", "+        ephemeral-storage:");

    StatefulSet restarted = pass(shard(engine, volume, ", restartedAt: t1"), true);
    assertThat(restarted.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("exaplane.io/restarted-at", "t1");
    assertThat(restarted.getSpec().getTemplate().getSpec())
        .as("and no more than that")
        .isEqualTo(made.getSpec().getTemplate().getSpec());

    String own = ", restartedAt: t1, resources: {limits: {cpu: 3, memory: 3Gi}}";
    Container grown =
        pass(shard(engine, volume, own), true)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst();
    assertThat(grown.getResources().getLimits())
        .containsEntry("memory", new Quantity("3Gi"))
        .doesNotContainKey("ephemeral-storage");
    assertThat(grown.getImage()).doesNotContain("-new");

    Container moved =
        pass(shard(engine, volume, own + ", rollout: {bundle: 2-b}"), true)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst();
    assertThat(moved.getImage()).endsWith("-new");
    assertThat(moved.getArgs()).contains("--of-the-new-operator");
    assertThat(pins.update().verdict().met()).isFalse();
    assertThat(pins.moved()).isEqualTo("2-b");
  }

  /** Whatever the first operator that knows bundles finds, it applies as it was applied before. */
  @ParameterizedTest
  @CsvSource({
    "memory, Memory, PersistentVolume",
    "memory-older, Memory, PersistentVolume",
    "memory-empty-dir, Memory, EmptyDirLosesDataWithPod",
    "etcd, Etcd, PersistentVolume",
    "etcd-empty-dir, Etcd, EmptyDirLosesDataWithPod"
  })
  void aStoreFromBeforeBundlesStaysAsItIs(String name, String engine, String volume) {
    BeforeBundles.Recorded<StatefulSet> before =
        BeforeBundles.of("storeshard", StatefulSet.class).get(name);
    live = Optional.of(before.live());
    for (int pass = 0; pass < 3; pass++) {
      assertThat(Trees.of(pass(shard(engine, volume, ""), true).getSpec()))
          .as("pass %d", pass)
          .isEqualTo(Trees.of(before.sent().getSpec()));
      assertThat(pins.moved()).isEqualTo(Pins.UNRECORDED);
      assertThat(pins.update().verdict().reason()).isEqualTo(Reason.OperatorUpdatePending);
    }
    StatefulSet grown =
        pass(shard(engine, volume, ", resources: {limits: {cpu: 3, memory: 3Gi}}"), true);
    assertThat(grown.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs())
        .isEqualTo(
            before.sent().getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs());
    StoreShard asks = shard(engine, volume, ", rollout: {bundle: 2-b}");
    assertThat(pass(asks, true).getSpec().getTemplate())
        .isEqualTo(rendered(asks, true).getSpec().getTemplate());
    assertThat(pins.moved()).isEqualTo("2-b");
  }

  /** The change itself would lose what is on disk: it comes with the bundle, and not before. */
  @Test
  void noStoreIsReplacedForKeysInMemory() {
    StoreShard shard = shard("Memory", "PersistentVolume", "");
    StatefulSet old = rendered(shard, false);
    Container container = old.getSpec().getTemplate().getSpec().getContainers().getFirst();
    assertThat(container.getArgs()).contains(NODE_LEASES, EVENTS);
    container.setArgs(
        container.getArgs().stream().filter(each -> !each.endsWith("=memory")).toList());
    live = Optional.of(old);

    assertThat(pass(shard, false).getSpec().getTemplate()).isEqualTo(old.getSpec().getTemplate());
    assertThat(pass(shard, false).getSpec().getTemplate()).isEqualTo(old.getSpec().getTemplate());
    assertThat(kept.orElseThrow().getData().get("diff")).contains("+    - \"" + NODE_LEASES);
    String restart = ", restartedAt: t1";
    assertThat(arguments(shard("Memory", "PersistentVolume", restart)))
        .as("a restart keeps the bundle")
        .isEqualTo(container.getArgs());
    String own = ", memory: {prefixes: [{prefix: /registry/events/, durability: Buffered}]}";
    assertThat(arguments(shard("Memory", "PersistentVolume", restart + own)))
        .as("the user's words, and no others")
        .contains("--prefix-durability=/registry/events/=buffered")
        .doesNotContain(NODE_LEASES, EVENTS);
    assertThat(arguments(shard("Memory", "PersistentVolume", ", rollout: {bundle: 1-a}")))
        .contains(NODE_LEASES, EVENTS);
  }

  /** The operator reads its pages in the clear until then. */
  @Test
  void aStoreShowsItsPagesInTheClearUntilItsBundleIsMoved() {
    StoreShard shard = owned("");
    StatefulSet old = rendered(shard, false);
    Container container = old.getSpec().getTemplate().getSpec().getContainers().getFirst();
    container.setEnv(
        container.getEnv().stream()
            .filter(variable -> !variable.getName().equals("ETCD_CLEAR_PAGES"))
            .toList());
    live = Optional.of(old);

    assertThat(pass(shard, false).getSpec().getTemplate()).isEqualTo(old.getSpec().getTemplate());
    assertThat(kept.orElseThrow().getData().get("diff"))
        .contains("ETCD_CLEAR_PAGES", "value: \"metrics\"");
    assertThat(isLimited(pass(owned(", restartedAt: t1"), false)))
        .as("a restart keeps the bundle")
        .isFalse();
    assertThat(isLimited(pass(owned(", rollout: {bundle: 1-a}"), false))).isTrue();
  }

  private static StoreShard owned(String more) {
    StoreShard shard = shard("Memory", "PersistentVolume", more);
    shard
        .getMetadata()
        .setOwnerReferences(Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3}")));
    return shard;
  }

  private static boolean isLimited(StatefulSet set) {
    return ClearPages.areLimited(set.getSpec().getTemplate().getSpec());
  }

  /** What the next pod must find is data, and follows the store while its template is pinned. */
  @Test
  void theLeastRevisionPassesWhileTheTemplateIsPinned() {
    StoreShard shard = shard("Memory", "PersistentVolume", "");
    StatefulSet made = pass(shard, false);
    shard.setStatus(
        Serialization.unmarshal(
            "dataId: d\nrevision: 4711\ndurableRevision: 42", StoreShardStatus.class));
    assertThat(pass(shard, true).getSpec().getTemplate()).isEqualTo(made.getSpec().getTemplate());
    assertThat(StoreRecord.render(shard, Optional.empty()).getData())
        .containsEntry(StoreRecord.LEAST_REVISION, "42");
    assertThat(made.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv())
        .anySatisfy(
            variable ->
                assertThat(variable.getValueFrom().getConfigMapKeyRef().getKey())
                    .isEqualTo(StoreRecord.LEAST_REVISION));
  }

  private List<String> arguments(StoreShard shard) {
    return pass(shard, false)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getArgs();
  }
}
