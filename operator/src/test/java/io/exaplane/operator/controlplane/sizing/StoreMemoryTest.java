// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.SMALL;
import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.running;
import static io.exaplane.operator.controlplane.sizing.Sizes.shards;
import static io.exaplane.operator.controlplane.sizing.Sizes.sized;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.model.Store;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory of stores and controllers. */
class StoreMemoryTest {
  @Test
  void controllersAndStoresGetTheMemoryThatTheModelHas() {
    Sized small = made(spec(100), List.of());
    assertThat(memory(small.controllers().get(Component.KUBE_CONTROLLER_MANAGER)))
        .isEqualTo("192Mi");
    assertThat(memory(small.controllers().get(Component.KUBE_SCHEDULER))).isEqualTo("128Mi");
    assertThat(store(small, "events")).as("what a store has by itself does").isNull();
    assertThat(limit(small, "default")).isEqualTo("1Gi");
    Sized large = made(spec(10_000), List.of());
    assertThat(limit(large, "default")).isEqualTo("19Gi");
    assertThat(memory(store(large, "default"))).isEqualTo("19Gi");
    assertThat(SizingValidCondition.of(large, "t").message()).doesNotContain("the store default");
  }

  @Test
  void ofMemoryTheUserHasTheLastWord() {
    Sized own =
        made(
            Fixtures.controlPlane(
                """
                {version: 1.36.3, maxNodes: 10000,
                 controllerManager: {resources: {requests: {cpu: 2}}},
                 scheduler: {resources: {limits: {memory: 1Gi}}},
                 storage: {stores: [
                   {name: default, resources: {limits: {memory: 6Gi}}},
                   {name: events, criticality: BestEffort, resources: {requests: {cpu: 3}}}]}}
                """),
            List.of());
    assertThat(own.controllers().get(Component.KUBE_CONTROLLER_MANAGER).getRequests())
        .as("cores are no word of memory")
        .containsEntry("cpu", new Quantity("2"))
        .containsEntry("memory", new Quantity("10Gi"));
    assertThat(own.controllers().get(Component.KUBE_SCHEDULER).getRequests()).isEmpty();
    assertThat(limit(own, "default")).isEqualTo("6Gi");
    assertThat(limit(own, "events")).isEqualTo("4Gi");
    assertThat(store(own, "events").getRequests())
        .containsEntry("cpu", new Quantity("3"))
        .containsEntry("memory", new Quantity("256Mi"));
    assertThat(SizingValidCondition.of(own, "t").message())
        .contains(
            "the store default holds at most 2.7 GiB, but will need 4.",
            "kube-scheduler requests.memory is 1Gi instead of 9Gi");
  }

  @Test
  void aStoreThatIsThereKeepsWhatItHas() {
    List<StoreShard> large = shards(made(spec(10_000), List.of()));
    assertThat(limit(made(spec(100), large), "default")).isEqualTo("19Gi");
    assertThat(limit(made(spec(50_000), large), "default")).isEqualTo("19Gi");
    List<StoreShard> small = unnamed(shards(made(spec(100), List.of())));
    Sized grown = made(spec(10_000), small);
    assertThat(store(grown, "default")).isNull();
    Verdict verdict = SizingValidCondition.of(grown, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
    assertThat(verdict.message())
        .contains("the store default holds at most 1.7 GiB", "raise its memory and quota");
    assertThat(TuningReport.forOperators(grown).get(TuningReport.TUNING))
        .contains("the store default holds at most 1.7 GiB", "memory: 4Gi", "wouldKeep: 4.")
        .doesNotContain("limits.memory[");
    assertThat(grown.tuned().orElseThrow().flags(Component.KUBE_APISERVER))
        .as("what the store really takes is what flags are for")
        .contains("--etcd-compaction-interval=2m30s");
    assertThat(made(spec(10_000), List.of()).tuned().orElseThrow().flags(Component.KUBE_APISERVER))
        .noneMatch(flag -> flag.startsWith("--etcd-compaction-interval"));
    large.forEach(shard -> shard.getMetadata().getOwnerReferences().getFirst().setUid("another"));
    assertThat(limit(made(spec(100), large), "default")).as("of another's stores").isEqualTo("1Gi");
  }

  @Test
  void whatAStoreHasStaysUntilTheUserNamesAnother() {
    List<StoreShard> given =
        shards(
            made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, resources: {limits: {memory: 6Gi}}}]}}"),
                List.of()));
    assertThat(limit(made(spec(100), given), "default")).isEqualTo("6Gi");
    String cores =
        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, resources: {requests: {cpu: 2}}}]}}";
    Sized withCores = made(Fixtures.controlPlane(cores), shards(made(spec(10_000), List.of())));
    assertThat(limit(withCores, "default")).as("cores take no memory away").isEqualTo("19Gi");
    assertThat(limit(made(spec(100), shards(withCores)), "default")).isEqualTo("19Gi");
    Sized defaults =
        made(Fixtures.controlPlane(cores), unnamed(shards(made(spec(100), List.of()))));
    assertThat(limit(defaults, "default")).isEqualTo("4Gi");
    assertThat(store(made(spec(100), shards(defaults)), "default")).isNull();
  }

  @Test
  void aStoreThatNeverHadABoundGetsNone() {
    String cores =
        "{version: 1.36.3, maxNodes: 10000, storage: {stores: [{name: default, resources: {requests: {cpu: 2}}}]}}";
    List<StoreShard> unbounded = shards(made(Fixtures.controlPlane(cores), List.of()));
    ResourceRequirements cpu =
        new ResourceRequirementsBuilder().addToRequests("cpu", new Quantity("2")).build();
    unbounded.forEach(
        shard ->
            shard.setSpec(
                new StoreShardSpec(
                    null, null, null, null, null, cpu, null, null, null, null, null, null)));
    Sized sized = made(Fixtures.controlPlane(cores), unbounded);
    assertThat(store(sized, "default")).isEqualTo(cpu);
    assertThat(SizingValidCondition.of(sized, "t").message()).doesNotContain("the store default");
    assertThat(TuningReport.forOperators(sized).get(TuningReport.TUNING)).doesNotContain("PiB");
  }

  @Test
  void whatAStoreSaysOfItselfCountsWhenItIsLess() {
    String large =
        "{version: 1.36.3, maxNodes: 10000, storage: {stores: [{name: default, resources: {limits: {memory: 19Gi}}}]}}";
    List<StoreShard> shards = shards(made(Fixtures.controlPlane(large), List.of()));
    assertThat(SizingValidCondition.of(made(Fixtures.controlPlane(large), shards), "t").message())
        .doesNotContain("the store default");
    shards.forEach(
        shard ->
            shard.setStatus(
                new StoreShardStatus(
                    null, null, null, null, null, null, null, null, null, null, null, null,
                    2L << 30, null, null, null, null, null, null, null)));
    assertThat(SizingValidCondition.of(made(Fixtures.controlPlane(large), shards), "t").message())
        .as("its pod has not been replaced")
        .contains("the store default holds at most 2.0 GiB");
  }

  @Test
  void eventsThatLiveShorterFitIntoASmallStore() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1000, sizing: {podChurnPerSecond: 150}, storage: {stores: [{name: default}, {name: events, criticality: BestEffort, resources: {limits: {memory: 4Gi}}}]}}"),
            List.of());
    assertThat(sized.tuned().orElseThrow().flags(Component.KUBE_APISERVER))
        .anyMatch(flag -> flag.startsWith("--event-ttl="));
    assertThat(SizingValidCondition.of(sized, "t").message()).doesNotContain("the store events");
  }

  @Test
  void aStoreThatNoNodeCarriesIsMadeSmallAndReported() {
    Sized sized = sized(spec(10_000), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(store(sized, "default")).isNull();
    Verdict verdict = SizingValidCondition.of(sized, "t");
    assertThat(verdict.message())
        .containsOnlyOnce("the store default")
        .contains(
            "the store default holds at most 1.7 GiB", "each kube-controller-manager needs 10 GiB");
    Sized again = sized(spec(10_000), shards(sized), running(sized), () -> List.of(SMALL));
    assertThat(SizingValidCondition.of(again, "t")).isEqualTo(verdict);
    Map<Component, Container> running = running(made(spec(100), List.of()));
    Sized grown = sized(spec(10_000), shards(sized), running, () -> List.of(SMALL));
    assertThat(memory(grown.controllers().get(Component.KUBE_CONTROLLER_MANAGER)))
        .as("what ran stays")
        .isEqualTo("192Mi");
  }

  @Test
  void aVolumeOrAQuotaBoundsWhatMemoryIsGoodFor() {
    String volume =
        "{version: 1.36.3, maxNodes: 10000, storage: {stores: [{name: default, storage: {size: 10Gi}}, {name: events, criticality: BestEffort}]}}";
    Sized sized = made(Fixtures.controlPlane(volume), List.of());
    assertThat(limit(sized, "default")).isEqualTo("7381Mi");
    assertThat(SizingValidCondition.of(sized, "t").message())
        .contains("the store default holds at most 3.2 GiB")
        .contains("raise its memory and quota");
    Sized tiny =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 2000, storage: {stores: [{name: default, resources: {limits: {memory: 300Mi}}}]}}"),
            List.of());
    assertThat(SizingValidCondition.of(tiny, "t").message())
        .contains("the store default holds at most 64 MiB");
  }

  @Test
  void anEtcdHasItsQuota() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 50000, storage: {stores: [{name: default}, {name: pods, engine: Etcd}], routes: [{store: pods, resources: [{resource: pods}]}]}}"),
            List.of());
    assertThat(store(sized, "pods")).isNull();
    assertThat(SizingValidCondition.of(sized, "t").message())
        .contains("the store pods holds at most 8.0 GiB")
        .doesNotContain("the store default holds at most");
  }

  @Test
  void theModelAndTheOperatorThinkOfTheSameStore() {
    assertThat(
            new Quantity(MemoryEngineSpec.DEFAULT_MEMORY_LIMIT).getNumericalAmount().doubleValue())
        .isEqualTo(Store.LEAST_MEMORY);
  }

  @Test
  void aStoreHasTheMemoryOfWhatIsRoutedToIt() {
    String all = "{version: 1.36.3, maxNodes: 50000, storage: {stores: [{name: default}]}}";
    String routed =
        "{version: 1.36.3, maxNodes: 50000, storage: {stores: [{name: default}, {name: busy}], routes: [{store: busy, resources: [{resource: pods}, {group: coordination.k8s.io, resource: leases}]}]}}";
    Sized sized = made(Fixtures.controlPlane(routed), List.of());
    assertThat(bytes(sized, "busy")).isGreaterThan(50L << 30);
    assertThat(bytes(sized, "default")).isLessThan(40L << 30);
    assertThat(bytes(made(Fixtures.controlPlane(all), List.of()), "default"))
        .isGreaterThan(bytes(sized, "busy"));
  }

  /** Stores of which nobody said what they take. */
  private static List<StoreShard> unnamed(List<StoreShard> shards) {
    shards.forEach(shard -> shard.setSpec(Sizes.shardSpec(null)));
    return shards;
  }

  private static long bytes(Sized sized, String store) {
    return new Quantity(limit(sized, store)).getNumericalAmount().longValue();
  }

  private static String limit(Sized sized, String store) {
    return store(sized, store).getLimits().get("memory").toString();
  }

  private static String memory(ResourceRequirements resources) {
    return resources.getRequests().get("memory").toString();
  }

  private static ResourceRequirements store(Sized sized, String name) {
    return StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
        .filter(store -> store.name().equals(name))
        .findFirst()
        .orElseThrow()
        .resources();
  }
}
