// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreRoute;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.ControlPlaneNames;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.tuning.model.Store;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a spec, the stores that are there and the nodes make of a control plane. */
class SizedTest {
  private static final NodeCapacity SMALL = new NodeCapacity(2, 8L << 30);
  private static final NodeCapacity LARGE = new NodeCapacity(128, 1L << 40);

  @Test
  void theModelChoosesRoutesWhenNoStoreIsThere() {
    assertThat(routes(made(spec(100), List.of()))).containsExactly("events");
    Sized large = made(spec(60_000), List.of());
    assertThat(routes(large)).containsExactly("events", "leases", "pods", "nodes");
    assertThat(StorageSpec.stores(large.controlPlane().getSpec().storage()))
        .extracting(StoreTemplate::name)
        .containsExactly("default", "events", "leases", "pods", "nodes");
    assertThat(large.missingRoutes()).isEmpty();
  }

  @Test
  void theChoiceStaysAndGrowthThatWantsAnotherIsReported() {
    Sized small = made(spec(100), List.of());
    StoreShard store = shard("u", StorePlan.text(small.controlPlane().getSpec().storage()));
    Sized grown = made(spec(60_000), List.of(store));
    assertThat(routes(grown)).containsExactly("events");
    assertThat(grown.missingRoutes())
        .extracting(Object::toString)
        .containsExactly("coordination.k8s.io/leases", "/pods", "/nodes");
    SizingVerdict verdict = SizingVerdict.of(grown, "demo-tuning");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.ReshardNeeded);
    assertThat(verdict.message()).contains("coordination.k8s.io/leases", "nothing was changed");
    Sized shrunk =
        made(
            spec(100),
            List.of(
                shard(
                    "u",
                    StorePlan.text(
                        made(spec(60_000), List.of()).controlPlane().getSpec().storage()))));
    assertThat(routes(shrunk))
        .as("a smaller cluster keeps its stores")
        .containsExactly("events", "leases", "pods", "nodes");
  }

  @Test
  void storesOfOneThatWasRemovedAndStoresFromBeforeTheModelChooseNothing() {
    String others =
        StorePlan.text(made(spec(60_000), List.of()).controlPlane().getSpec().storage());
    assertThat(routes(made(spec(100), List.of(shard("another", others)))))
        .containsExactly("events");
    assertThat(routes(made(spec(60_000), List.of(shard("u", null))))).containsExactly("events");
  }

  @Test
  void storesWhoseAnnotationsSomebodyRemovedStillSayWhatWasChosen() {
    StoreShard leases = shard("u", null);
    leases.getMetadata().setLabels(Map.of(ControlPlaneNames.STORE_LABEL, "leases"));
    assertThat(routes(made(spec(100), List.of(shard("u", null), leases))))
        .containsExactly("events", "leases");
  }

  @Test
  void whatTheUserRoutesIsLeftAlone() {
    Sized own =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 2000, storage: {stores: [{name: default}]}}"),
            List.of());
    assertThat(routes(own)).isEmpty();
    assertThat(SizingVerdict.of(own, "t").reason()).isEqualTo(Reason.ReshardNeeded);
  }

  @Test
  void requestsThatNoNodeCarriesAreReportedAndNotApplied() {
    Sized fits = sized(spec(100), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(fits.apiServer().orElseThrow().container()).isPresent();
    assertThat(SizingVerdict.of(fits, "t").reason()).isEqualTo(Reason.AsExpected);
    Sized tooLarge = sized(spec(5_000), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(tooLarge.apiServer().orElseThrow().container()).isEmpty();
    assertThat(tooLarge.apiServer().orElseThrow().environment()).isEmpty();
    SizingVerdict verdict = SizingVerdict.of(tooLarge, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LargerThanAnyNode);
    assertThat(verdict.message()).contains("the largest node gives 8.0 GiB and 2 cores");
  }

  @Test
  void requestsThatWereAppliedStayWhateverBecomesOfTheNodes() {
    Sized applied = sized(spec(5_000), List.of(), Map.of(), () -> List.of(LARGE));
    Map<Component, Container> running = running(applied);
    Sized later =
        sized(
            spec(5_000),
            shards(applied),
            running,
            () -> {
              throw new AssertionError("nodes do not matter");
            });
    assertThat(later.apiServer()).isEqualTo(applied.apiServer());
  }

  @Test
  void aSizeThatNoNodeCarriesLeavesWhatWasApplied() {
    Map<Component, Container> running =
        running(sized(spec(100), List.of(), Map.of(), () -> List.of(SMALL)));
    Sized grown = sized(spec(5_000), List.of(), running, () -> List.of(SMALL));
    ApiServerResources kept = grown.apiServer().orElseThrow();
    assertThat(kept.container()).contains(running.get(Component.KUBE_APISERVER).getResources());
    assertThat(kept.environment()).containsEntry("GOMEMLIMIT", "2611MiB");
    assertThat(SizingVerdict.of(grown, "t").message())
        .contains("not applied until there is a node that carries it");
  }

  /** What runs of a control plane, as it comes back from the API server. */
  private static Map<Component, Container> running(Sized sized) {
    KubernetesSerialization cluster = new KubernetesSerialization();
    Map<Component, Container> containers = new EnumMap<>(Component.class);
    sized
        .controllers()
        .forEach(
            (component, resources) ->
                containers.put(component, new ContainerBuilder().withResources(resources).build()));
    ApiServerResources apiServer = sized.apiServer().orElseThrow();
    ContainerBuilder container =
        new ContainerBuilder().withResources(apiServer.container().orElse(null));
    apiServer
        .environment()
        .forEach((name, value) -> container.addNewEnv().withName(name).withValue(value).endEnv());
    containers.put(Component.KUBE_APISERVER, container.build());
    containers.replaceAll((_, made) -> cluster.clone(made));
    return containers;
  }

  @Test
  void controllersAndStoresGetTheMemoryThatTheModelHas() {
    Sized small = made(spec(100), List.of());
    assertThat(memory(small.controllers().get(Component.KUBE_CONTROLLER_MANAGER)))
        .isEqualTo("192Mi");
    assertThat(memory(small.controllers().get(Component.KUBE_SCHEDULER))).isEqualTo("128Mi");
    assertThat(StorageSpec.stores(small.controlPlane().getSpec().storage()))
        .as("what a store has by itself does")
        .allSatisfy(store -> assertThat(store.resources()).isNull());
    Sized large = made(spec(10_000), List.of());
    assertThat(limit(large, "default")).isEqualTo("19Gi");
    assertThat(memory(store(large, "default"))).isEqualTo("19Gi");
    assertThat(SizingVerdict.of(large, "t").message()).doesNotContain("the store default");
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
    assertThat(SizingVerdict.of(own, "t").message())
        .contains(
            "the store default takes 2.8 GiB, and would keep 5.9 GiB",
            "kube-scheduler requests.memory is 1Gi instead of");
  }

  @Test
  void aStoreThatIsThereKeepsWhatItHas() {
    List<StoreShard> large = shards(made(spec(10_000), List.of()));
    assertThat(limit(made(spec(100), large), "default")).isEqualTo("19Gi");
    assertThat(limit(made(spec(50_000), large), "default")).isEqualTo("19Gi");
    List<StoreShard> small = shards(made(spec(100), List.of()));
    Sized grown = made(spec(10_000), small);
    assertThat(store(grown, "default")).isNull();
    SizingVerdict verdict = SizingVerdict.of(grown, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
    assertThat(verdict.message())
        .contains("the store default takes 1.8 GiB", "its data goes with it");
    assertThat(TuningReport.forOperators(grown).get(TuningReport.TUNING))
        .contains("the store default takes 1.8 GiB", "memory: 4Gi", "wouldKeep: 5.9 GiB")
        .doesNotContain("limits.memory[");
    assertThat(grown.tuned().orElseThrow().flags(Component.KUBE_APISERVER))
        .as("what the store really takes is what flags are for")
        .contains("--etcd-compaction-interval=2m30s");
    assertThat(made(spec(10_000), List.of()).tuned().orElseThrow().flags(Component.KUBE_APISERVER))
        .noneMatch(flag -> flag.startsWith("--etcd-compaction-interval"));
    large.forEach(shard -> shard.getMetadata().getOwnerReferences().getFirst().setUid("another"));
    assertThat(store(made(spec(100), large), "default")).as("of another's stores").isNull();
  }

  @Test
  void whatAUserGaveAStoreIsTheirsToTakeAway() {
    List<StoreShard> given =
        shards(
            made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, resources: {requests: {memory: 1Gi}, limits: {memory: 6Gi}}}]}}"),
                List.of()));
    assertThat(store(made(spec(100), given), "default")).isNull();
    String cores =
        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, resources: {requests: {cpu: 2}}}]}}";
    Sized withCores = made(Fixtures.controlPlane(cores), shards(made(spec(10_000), List.of())));
    assertThat(limit(withCores, "default")).as("cores take no memory away").isEqualTo("19Gi");
    assertThat(limit(made(spec(100), shards(withCores)), "default")).isEqualTo("19Gi");
    Sized defaults = made(Fixtures.controlPlane(cores), shards(made(spec(100), List.of())));
    assertThat(limit(defaults, "default")).isEqualTo("4Gi");
    assertThat(store(made(spec(100), shards(defaults)), "default")).isNull();
  }

  @Test
  void aStoreThatNoNodeCarriesIsMadeSmallAndReported() {
    Sized sized = sized(spec(10_000), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(store(sized, "default")).isNull();
    assertThat(SizingVerdict.of(sized, "t").message())
        .containsOnlyOnce("the store default")
        .contains("the store default wants 19 GiB", "each kube-controller-manager wants 10 GiB");
    Map<Component, Container> running = running(made(spec(100), List.of()));
    Sized grown = sized(spec(10_000), List.of(), running, () -> List.of(SMALL));
    assertThat(memory(grown.controllers().get(Component.KUBE_CONTROLLER_MANAGER)))
        .as("what ran stays")
        .isEqualTo("192Mi");
    assertThat(SizingVerdict.of(grown, "t"))
        .isEqualTo(
            SizingVerdict.of(
                sized(spec(10_000), List.of(), running(grown), () -> List.of(SMALL)), "t"));
  }

  @Test
  void aVolumeOrAQuotaBoundsWhatMemoryIsGoodFor() {
    String volume =
        "{version: 1.36.3, maxNodes: 10000, storage: {stores: [{name: default, storage: {type: PersistentVolume}}, {name: events, criticality: BestEffort}]}}";
    Sized sized = made(Fixtures.controlPlane(volume), List.of());
    assertThat(limit(sized, "default")).isEqualTo("7Gi");
    assertThat(SizingVerdict.of(sized, "t").message())
        .contains("the store default takes 3.3 GiB")
        .doesNotContain("its data goes with it");
    Sized tiny =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 2000, storage: {stores: [{name: default, resources: {limits: {memory: 300Mi}}}]}}"),
            List.of());
    assertThat(SizingVerdict.of(tiny, "t").message()).contains("the store default takes 64 MiB");
  }

  @Test
  void anEtcdHasItsQuota() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 50000, storage: {stores: [{name: default}, {name: pods, engine: Etcd}], routes: [{store: pods, resources: [{resource: pods}]}]}}"),
            List.of());
    assertThat(store(sized, "pods")).isNull();
    assertThat(SizingVerdict.of(sized, "t").message())
        .contains("the store pods takes 8.0 GiB")
        .doesNotContain("the store default takes");
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

  private static long bytes(Sized sized, String store) {
    return new Quantity(limit(sized, store)).getNumericalAmount().longValue();
  }

  private static String limit(Sized sized, String store) {
    return store(sized, store).getLimits().get("memory").toString();
  }

  private static List<StoreShard> shards(Sized sized) {
    StorageSpec storage = sized.controlPlane().getSpec().storage();
    return StorageSpec.stores(storage).stream()
        .map(
            store -> {
              StoreShard shard = shard("u", StorePlan.text(storage));
              shard.getMetadata().setName("demo-" + store.name());
              shard.setSpec(
                  new StoreShardSpec(null, null, null, null, null, store.resources(), null));
              return shard;
            })
        .toList();
  }

  private static String memory(ResourceRequirements resources) {
    return resources.getRequests().get("memory").toString();
  }

  private static ResourceRequirements store(Sized sized, String name) {
    return StorageSpec.stores(sized.controlPlane().getSpec().storage()).stream()
        .filter(store -> store.name().equals(name))
        .findFirst()
        .orElseThrow()
        .resources();
  }

  @Test
  void annotationsThatSomebodyChangedAreNotFollowed() {
    String right = StorePlan.text(made(spec(60_000), List.of()).controlPlane().getSpec().storage());
    StoreShard leases = shard("u", right);
    leases.getMetadata().setLabels(Map.of(ControlPlaneNames.STORE_LABEL, "leases"));
    assertThatThrownBy(() -> made(spec(60_000), List.of(leases, shard("u", "[]"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing is changed");
    leases.getMetadata().setAnnotations(Map.of(StorePlan.ROUTES_ANNOTATION, "[]"));
    assertThatThrownBy(() -> made(spec(60_000), List.of(leases)))
        .hasMessageContaining("exaplane.io/routes");
  }

  @Test
  void storesThatAreAllGoneAreMadeAgainAsStatusShowsThem() {
    ControlPlane grown = spec(60_000);
    grown.setStatus(
        new ControlPlaneStatus(
            1L,
            new ControlPlaneStatus.Versions("1.36.3", "1.36.3", "1.36.3"),
            null,
            null,
            null,
            null,
            null,
            new ControlPlaneStatus.Stores(
                "0/2",
                List.of(
                    new ControlPlaneStatus.Store(
                        "default", "demo-default", null, false, null, null),
                    new ControlPlaneStatus.Store(
                        "events",
                        "demo-events",
                        null,
                        false,
                        null,
                        List.of(new ResourceRef("", "events"))))),
            null,
            null,
            null));
    assertThat(routes(made(grown, List.of()))).containsExactly("events");
  }

  @Test
  void flagsThatTheSchedulerIgnoresBesideItsFileAreInIt() {
    Tuned tuned =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 5000, scheduler: {extraArgs: [{name: kube-api-qps, value: '700'}, {name: profiling, value: 'false'}, {name: v, value: '4'}]}}"),
                List.of())
            .tuned()
            .orElseThrow();
    assertThat(tuned.flags(Component.KUBE_SCHEDULER)).containsExactly("--v=4");
    assertThat(tuned.schedulerConfiguration().orElseThrow())
        .containsEntry("enableProfiling", false)
        .extractingByKey("clientConnection")
        .isEqualTo(Map.of("qps", 700L));
    assertThat(tuned.overrides())
        .extracting(OverriddenValue::toString)
        .contains(
            "kube-scheduler clientConnection.qps is 700 instead of 100 (spec.scheduler.extraArgs)");
  }

  @Test
  void aStoreThatIsSmallerThanTheModelThinksOfIsNoReasonToRefuse() {
    assertThat(
            made(
                    Fixtures.controlPlane(
                        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, memory: {quota: 32Mi}}]}}"),
                    List.of())
                .tuned())
        .isPresent();
  }

  @Test
  void theUsersResourcesCountAndTheCollectorFollowsTheirLimit() {
    ApiServerResources own =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {limits: {memory: 4Gi}}}}"),
                List.of())
            .apiServer()
            .orElseThrow();
    assertThat(own.container().orElseThrow().getLimits()).containsKey("memory");
    assertThat(own.environment()).containsEntry("GOMEMLIMIT", "3481MiB").containsKey("GOGC");
    assertThat(
            made(
                    Fixtures.controlPlane(
                        "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {requests: {memory: 4Gi}}}}"),
                    List.of())
                .apiServer()
                .orElseThrow()
                .environment())
        .as("without a limit there is nothing to go by")
        .isEmpty();
  }

  @Test
  void overridesTakeThePlaceOfTheModelsValuesAndAreNamed() {
    Sized sized =
        made(
            Fixtures.controlPlane(
                """
                {version: 1.36.3, maxNodes: 2000,
                 apiServer: {
                   tuning: {maxRequestsInflight: 800, goawayChance: '0.002', goGC: 300, goMemLimitPercent: 90},
                   extraArgs: [{name: event-ttl, value: 2h}, {name: feature-gates, value: 'DetectCacheInconsistency=false'}, {name: profiling, value: 'false'}]}}
                """),
            List.of());
    Tuned tuned = sized.tuned().orElseThrow();
    assertThat(tuned.flags(Component.KUBE_APISERVER))
        .contains(
            "--max-requests-inflight=800",
            "--max-mutating-requests-inflight=500",
            "--goaway-chance=0.002",
            "--feature-gates=DetectCacheInconsistency=false")
        .endsWith("--event-ttl=2h", "--profiling=false")
        .doesNotHaveDuplicates();
    assertThat(tuned.overrides())
        .extracting(OverriddenValue::toString)
        .containsExactly(
            "kube-apiserver max-requests-inflight is 800 instead of 1500 (spec.apiServer.tuning.maxRequestsInflight)",
            "kube-apiserver goaway-chance is 0.002 instead of 0.001 (spec.apiServer.tuning.goawayChance)",
            "kube-apiserver GOGC is 300 instead of 100 (spec.apiServer.tuning.goGC)",
            "kube-apiserver GOMEMLIMIT is 90% of the limit instead of 85% (spec.apiServer.tuning.goMemLimitPercent)",
            "kube-apiserver event-ttl is 2h instead of the default (spec.apiServer.extraArgs)");
    assertThat(tuned.tuning().estimate().concurrency().total())
        .as("the seats that priority levels share")
        .isEqualTo(1_300);
    SizingVerdict verdict = SizingVerdict.of(sized, "demo-tuning");
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.reason()).isEqualTo(Reason.Overridden);
    assertThat(verdict.message()).contains("max-requests-inflight is 800 instead of 1500");
    assertThat(TuningReport.forOperators(sized).get(TuningReport.TUNING))
        .contains("overrides:", "field: spec.apiServer.tuning.goGC", "notApplied: []");
  }

  @Test
  void aWarningOfTheModelIsSaid() {
    SizingVerdict verdict =
        SizingVerdict.of(
            made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, apiServer: {tuning: {maxRequestsInflight: 9000}}}"),
                List.of()),
            "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
    assertThat(verdict.message()).contains("RequestsInFlightExceedMemory", "overridden");
  }

  @Test
  void aFlagThatOnlyTheNextVersionHasWaitsForIt() {
    var spec =
        Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 100, apiServer: {extraArgs: [{name: tls-curve-preferences, value: '4588'}, {name: feature-gates, value: 'ShardedListAndWatch=true'}]}}")
            .getSpec();
    assertThat(Tuned.of(spec, "1.36.3", OptionalDouble.empty()).flags(Component.KUBE_APISERVER))
        .contains("--tls-curve-preferences=4588", "--feature-gates=ShardedListAndWatch=true");
    assertThat(Tuned.of(spec, "1.35.4", OptionalDouble.empty()).flags(Component.KUBE_APISERVER))
        .noneMatch(flag -> flag.startsWith("--tls-curve") || flag.contains("Sharded"));
  }

  @Test
  void clientsWithAFastNetworkAreToldNotToCompress() {
    Tuned fast =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, sizing: {clientMegabytesPerSecond: 100}}"),
                List.of())
            .tuned()
            .orElseThrow();
    assertThat(fast.disablesCompression()).isTrue();
    assertThat(TuningReport.forNodes(fast).get(TuningReport.KUBECONFIG))
        .contains("disable-compression: true");
    assertThat(TuningReport.forNodes(made(spec(100), List.of()).tuned().orElseThrow()))
        .containsOnlyKeys(TuningReport.KUBELET, TuningReport.KUBECONFIG)
        .extractingByKey(TuningReport.KUBECONFIG)
        .asString()
        .contains("disable-compression: false");
  }

  private static ControlPlane spec(int nodes) {
    return Fixtures.controlPlane("{version: 1.36.3, maxNodes: %d}".formatted(nodes));
  }

  private static List<String> routes(Sized sized) {
    return StorageSpec.routes(sized.controlPlane().getSpec().storage()).stream()
        .map(StoreRoute::store)
        .toList();
  }

  private static Sized made(ControlPlane controlPlane, List<StoreShard> shards) {
    return sized(controlPlane, shards, Map.of(), () -> List.of(LARGE));
  }

  private static Sized sized(
      ControlPlane controlPlane,
      List<StoreShard> shards,
      Map<Component, Container> running,
      Supplier<Collection<NodeCapacity>> nodes) {
    return Sized.of(
        controlPlane, true, false, new Sized.Before(shards, running, nodes), Instant.EPOCH);
  }

  private static StoreShard shard(String ownerUid, String routes) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(
        new ObjectMetaBuilder()
            .withName("demo-default")
            .withAnnotations(routes == null ? null : Map.of(StorePlan.ROUTES_ANNOTATION, routes))
            .addNewOwnerReference()
            .withUid(ownerUid)
            .withKind("ControlPlane")
            .withName("demo")
            .endOwnerReference()
            .build());
    return shard;
  }
}
