// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.shards;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Store;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stores may hold beside what kube-apiservers can load. */
class StoreRoomTest {
  private static ControlPlane of(int nodes, String memory, String storage) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: %d, apiServer: {resources: {limits: {memory: %s}}}, storage: {%s}}"
            .formatted(nodes, memory, storage));
  }

  private static Optional<String> quota(Sized sized, String store) {
    return StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
        .filter(any -> any.name().equals(store))
        .map(StoreTemplate::memory)
        .flatMap(memory -> Optional.ofNullable(memory).stream())
        .flatMap(memory -> Optional.ofNullable(memory.quota()).stream())
        .findFirst();
  }

  private static MemoryEngineSpec memory(Sized sized, String store) {
    return StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
        .filter(any -> any.name().equals(store))
        .findFirst()
        .orElseThrow()
        .memory();
  }

  private static String loadQuota(Sized sized, String store) {
    return memory(sized, store).loadQuota();
  }

  private static double bytes(String quota) {
    return new Quantity(quota).getNumericalAmount().doubleValue();
  }

  /** Whatever a new store is filled with, or what is expected of it. */
  @ParameterizedTest
  @CsvSource({
    "10, 1Gi",
    "10, 2Gi",
    "10, 3Gi",
    "100, 4Gi",
    "100, 16Gi",
    "1000, 8Gi",
    "5000, 32Gi",
    "10000, 64Gi"
  })
  void aNewStoreTakesNoMoreThanTheNamedMemoryLoads(int nodes, String memory) {
    ControlPlane controlPlane = of(nodes, memory, "");
    Sized sized = made(controlPlane, List.of());
    Estimate estimate = sized.tuned().orElseThrow().tuning().estimate();
    assertThat(quota(sized, "events")).isEmpty();
    for (StoreSpace space : sized.stores()) {
      if (space.name().equals("events")) {
        continue;
      }
      double takes = space.takes().orElseThrow();
      double loads = estimate.bytesToLoad(bytes(memory));
      double ordinary = Math.min(256 << 20, bytes(loadQuota(sized, space.name())) / 3);
      assertThat(takes)
          .isLessThanOrEqualTo(
              Math.max(Math.max(64 << 20, 1.5 * space.keeps()), Math.max(loads, ordinary))
                  + (1 << 20));
      assertThat(space.isTooSmall()).isFalse();
    }
  }

  @Test
  void moreMemoryGivesMoreRoomUntilTheStoresOwnMemoryDecides() {
    double before = 0;
    for (String memory : List.of("1Gi", "2Gi", "4Gi", "8Gi")) {
      Optional<String> quota = quota(made(of(100, memory, ""), List.of()), "default");
      assertThat(quota).as(memory).isPresent();
      assertThat(bytes(quota.get())).as(memory).isGreaterThanOrEqualTo(before);
      before = bytes(quota.get());
    }
    assertThat(quota(made(of(100, "512Gi", ""), List.of()), "default")).isEmpty();
  }

  /** What a store may be filled with leaves each kube-apiserver's collector its room. */
  @ParameterizedTest
  @CsvSource({
    "1, ",
    "10, ",
    "100, ",
    "1000, ",
    "5000, ",
    "100000, ",
    "10, 1Gi",
    "100, 2Gi",
    "100, 4Gi",
    "100, 16Gi"
  })
  void objectsTakeNoMoreThanTheMemoryThatAKubeApiServerHasForThem(int nodes, String memory) {
    Sized sized = made(memory == null ? Sizes.spec(nodes) : of(nodes, memory, ""), List.of());
    Estimate estimate = sized.tuned().orElseThrow().tuning().estimate();
    double limit = memory == null ? estimate.memoryLimit() : bytes(memory);
    double load = 0;
    for (StoreSpace space : sized.stores()) {
      if (!space.name().equals("events")) {
        load += bytes(loadQuota(sized, space.name()));
      }
    }
    double expected = estimate.stores().stream().mapToDouble(Store::countedLoad).sum();
    int stores = sized.stores().size();
    assertThat(load)
        .isLessThanOrEqualTo(
            Math.max(expected, estimate.objectMemory(limit))
                + stores * (load > 9_999 * Bytes.MIB ? Bytes.GIB : Bytes.MIB));
    assertThat(load).as("what is expected has room").isGreaterThanOrEqualTo(0.99 * expected);
  }

  /** 256 MiB of ordinary objects, and of custom resources of small fields what can be loaded. */
  @Test
  void theSmallestClusterHasRoomForOrdinaryObjects() {
    Sized sized = made(Sizes.spec(100), List.of());
    assertThat(bytes(quota(sized, "default").orElseThrow())).isGreaterThanOrEqualTo(256 << 20);
    double load = bytes(loadQuota(sized, "default"));
    assertThat(load).isGreaterThanOrEqualTo(2.5 * (256 << 20));
    Estimate estimate = sized.tuned().orElseThrow().tuning().estimate();
    double live = estimate.memory().liveHeap() - estimate.memory().objects() + load;
    assertThat(live).isLessThanOrEqualTo(Estimate.FULL * estimate.memoryLimit() + Bytes.MIB);
  }

  /** Who fills a store within seconds is faster than a limit that grows. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, 1_000, 5_000, 20_000, 100_000})
  void withoutNamedMemoryTheModelsLimitBoundsNewStores(int nodes) {
    Sized sized = made(Sizes.spec(nodes), List.of());
    Estimate estimate = sized.tuned().orElseThrow().tuning().estimate();
    double takes = 0;
    double least = 0;
    for (StoreSpace space : sized.stores()) {
      if (space.name().equals("events")) {
        continue;
      }
      takes += space.takes().orElseThrow();
      // Above 9,999 MiB, a quota is written in GiB.
      double step = space.takes().orElseThrow() > 9_999 * Bytes.MIB ? Bytes.GIB : Bytes.MIB;
      least += Math.max(256 * Bytes.MIB, 1.5 * space.keeps()) + step;
      assertThat(space.takes().orElseThrow()).isGreaterThanOrEqualTo(256 * Bytes.MIB);
      assertThat(space.isTooSmall()).as(space.name()).isFalse();
    }
    assertThat(estimate.memoryToLoad(takes))
        .isLessThanOrEqualTo(Math.max(estimate.memoryLimit(), estimate.memoryToLoad(least)));
    assertThat(quota(sized, "events")).isEmpty();
  }

  @Test
  void aNamedQuotaStays() {
    assertThat(
            quota(
                made(
                    of(100, "2Gi", "stores: [{name: default, memory: {quota: 333Mi}}]"), List.of()),
                "default"))
        .contains("333Mi");
  }

  /** The store of before had no such bound, and its claims may hold more. */
  @Test
  void aStoreThatTakesOverClaimsIsNotBoundByTheModelsLimit() {
    String routes =
        StorePlan.text(made(Sizes.spec(100), List.of()).controlPlane().spec().storage());
    Function<ControlPlane, Sized> retained =
        controlPlane ->
            Sized.of(
                controlPlane,
                true,
                false,
                new Sized.Before(
                    List.of(),
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    () -> List.of(Sizes.LARGE),
                    () -> Optional.of(routes)),
                Instant.EPOCH);
    assertThat(quota(made(Sizes.spec(100), List.of()), "default")).isPresent();
    assertThat(quota(retained.apply(Sizes.spec(100)), "default")).isEmpty();
    Sized named = retained.apply(of(100, "2Gi", ""));
    assertThat(quota(named, "default")).isPresent();
    assertThat(loadQuota(made(of(100, "2Gi", ""), List.of()), "default")).isNotNull();
    assertThat(StoreRoom.hasLoadQuota(memory(named, "default"))).as("of load").isFalse();
    String own = "stores: [{name: default, memory: {loadQuota: 3Gi}}]";
    assertThat(loadQuota(retained.apply(of(100, "2Gi", own)), "default")).isEqualTo("3Gi");
  }

  /** Nothing rolls: neither for a new operator, nor for other memory later. */
  @Test
  void aStoreThatIsThereKeepsItsQuotaOrHasNone() {
    ControlPlane controlPlane = of(100, "2Gi", "");
    List<StoreShard> before = shards(made(Sizes.spec(100), List.of()));
    assertThat(quota(made(controlPlane, before), "default")).isEmpty();
    assertThat(quota(made(Sizes.spec(100), before), "default")).isEmpty();
    List<StoreShard> chosen = shards(made(controlPlane, List.of()));
    chosen.getFirst().setSpec(withLoadQuota("500Mi"));
    assertThat(loadQuota(made(of(100, "64Gi", ""), chosen), "default")).isEqualTo("500Mi");
    chosen.getFirst().setSpec(withQuota("100Mi"));
    assertThat(StoreRoom.hasLoadQuota(memory(made(controlPlane, chosen), "default")))
        .as("a store of an operator before")
        .isFalse();
    assertThat(quota(made(controlPlane, chosen), "default")).contains("100Mi");
    assertThat(quota(made(of(100, "64Gi", ""), chosen), "default")).contains("100Mi");
    assertThat(
            quota(
                made(of(100, "2Gi", "stores: [{name: default, memory: {quota: 1Gi}}]"), chosen),
                "default"))
        .contains("1Gi");
  }

  /** The store keeps what it was made with, so somebody has to be told, once it is too little. */
  @Test
  void aQuotaOfLoadThatMaxNodesOutgrewIsSaid() {
    List<StoreShard> small = shards(made(Sizes.spec(100), List.of()));
    small.getFirst().setSpec(withLoadQuota(loadQuota(made(Sizes.spec(100), List.of()), "default")));
    assertThat(made(Sizes.spec(100), small).problems())
        .as("the same size")
        .noneMatch(problem -> problem.message().contains("memory.loadQuota"));
    Sized grown = made(Sizes.spec(20_000), small);
    assertThat(loadQuota(grown, "default"))
        .isEqualTo(loadQuota(made(Sizes.spec(100), List.of()), "default"));
    // So many nodes also want other stores, which comes first.
    Verdict verdict = SizingValidCondition.of(grown, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.message()).contains("set memory.loadQuota of this store to ");
    String said =
        grown.problems().stream()
            .filter(problem -> problem.reason() == Reason.LimitsExceeded)
            .map(Problem::message)
            .filter(message -> message.contains("memory.loadQuota"))
            .findFirst()
            .orElseThrow();
    assertThat(said)
        .contains("the store default takes objects for at most")
        .containsPattern("set memory.loadQuota of this store to [1-9][0-9]{0,3}(Mi|Gi) in spec");
    String named = said.replaceAll("(?s).*of this store to (\\S+) in spec.*", "$1");
    ControlPlane mended =
        Fixtures.controlPlane(
            ("{version: 1.36.3, maxNodes: 20000, storage: {stores: [{name: default, memory:"
                    + " {loadQuota: %s}}]}}")
                .formatted(named));
    assertThat(made(mended, small).problems())
        .as("the next action helps")
        .noneMatch(problem -> problem.message().contains("memory.loadQuota"));
  }

  private static StoreShardSpec withLoadQuota(String quota) {
    return Serialization.unmarshal(
        "{\"memory\": {\"loadQuota\": \"%s\"}}".formatted(quota), StoreShardSpec.class);
  }

  private static StoreShardSpec withQuota(String quota) {
    return Serialization.unmarshal(
        "{\"memory\": {\"quota\": \"%s\"}}".formatted(quota), StoreShardSpec.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // memory of kube-apiserver | stores | is said
        "4Gi   | stores: [{name: default, memory: {quota: 1Gi}, resources: {limits: {memory: 4Gi}}}] | true",
        "4Gi   | stores: [{name: default, memory: {loadQuota: 4Gi}}] | true",
        // Whatever its objects are, it refuses them in time.
        "4Gi   | stores: [{name: default, resources: {limits: {memory: 4Gi}}}] | false",
        "4Gi   | stores: [{name: default, memory: {quota: 1Gi, loadQuota: 1Gi}}] | false",
        "64Gi  | stores: [{name: default, resources: {limits: {memory: 4Gi}}}] | false",
        "4Gi   | stores: [{name: default, memory: {quota: 64Mi}}] | false",
        "4Gi   | | false",
        "4Gi   | stores: [{name: events, criticality: BestEffort, memory: {quota: 4Gi}}] | false",
      })
  void whatTheUserNamedAndDoesNotFitIsSaid(String memory, String storage, boolean is) {
    Sized sized = made(of(100, memory, storage == null ? "" : storage), List.of());
    Verdict verdict = SizingValidCondition.of(sized, "t");
    assertThat(
            sized.problems().stream()
                .anyMatch(p -> p.message().contains("for all stores together")))
        .isEqualTo(is);
    if (is) {
      assertThat(verdict.met()).isFalse();
      assertThat(verdict.reason()).isEqualTo(Reason.LimitsExceeded);
      assertThat(verdict.message())
          .contains(
              "spec.apiServer.resources limits the memory to 4.0 GiB. Raise the limit to ",
              "or lower memory.",
              " in spec.storage.stores to ");
    }
  }

  @Test
  void aQuotaIsWrittenAsTheSchemaHasIt() {
    Sized sized = made(of(100, "2Gi", ""), List.of());
    Estimate estimate = sized.tuned().orElseThrow().tuning().estimate();
    List<Store> stores = estimate.stores();
    for (long memory = 1L << 30; memory < 1L << 45; memory *= 2) {
      StoreRoom room = StoreRoom.of(estimate, Optional.of(memory), stores);
      stores.forEach(
          store ->
              assertThat(room.quota(store, Double.MAX_VALUE).orElseThrow())
                  .matches("[1-9][0-9]{0,3}(Mi|Gi)"));
    }
    assertThat(StoreRoom.hasQuota(new MemoryEngineSpec(null, null, null))).isFalse();
  }

  /** What is expected has room, also where a quota has no digits left for MiB. */
  @ParameterizedTest
  @CsvSource({
    "100, 64, 100Mi",
    "100.5, 64, 101Mi",
    "9999, 64, 9999Mi",
    "11000, 64, 10Gi",
    "11000, 11000, 11Gi",
    "10752, 10752, 11Gi",
    "10240, 10240, 10Gi"
  })
  void aQuotaIsNotLessThanWhatIsExpected(double mebibytes, double least, String quota) {
    assertThat(StoreRoom.text(mebibytes * Bytes.MIB, least * Bytes.MIB)).isEqualTo(quota);
  }
}
