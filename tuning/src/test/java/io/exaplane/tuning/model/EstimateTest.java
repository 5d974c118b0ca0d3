// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.exaplane.tuning.Shapes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The model's figures beside those that somebody saw (reference/tuning.md §2.5, §3). */
class EstimateTest {
  @ParameterizedTest
  @CsvSource({"5000, 3", "10000, 3", "50000, 5", "100000, 6", "1000000, 11"})
  void kubeApiServersOfKnownClusters(long nodes, int replicas) {
    assertThat(estimate(nodes).replicas()).isBetween(replicas, replicas + 1);
  }

  @Test
  void fiveThousandNodesNeedWhatTheyWereSeenToNeed() {
    Estimate estimate = estimate(5_000);
    // KEP-4988's test has 23 GB resident with GOGC 100: half of it is live.
    assertThat(estimate.memory().liveHeap() / Bytes.GIB).isBetween(6.0, 23.0);
    assertThat(estimate.heartbeat().renewalsPerSecond()).isCloseTo(500, within(0.1));
    assertThat(estimate.load().watches()).isCloseTo(90_000, within(1_000.0));
    assertThat(estimate.cpu().cores()).isBetween(1.0, 10.0);
  }

  /** Requests and watches are shared; what is written is decoded by each. */
  @Test
  void moreKubeApiServersDoNotShareTheDecodingOfWrites() {
    double few = cores(5);
    double many = cores(50);
    assertThat(many).isLessThan(few / 2).isGreaterThan(100_000 * 150e-6);
  }

  private static double cores(int replicas) {
    return Estimate.of(
            Shapes.of(
                Input.NODES,
                1_000_000,
                Input.LEASE_SECONDS,
                40,
                Input.KUBE_PROXY,
                false,
                Input.REPLICAS,
                replicas))
        .cpu()
        .cores();
  }

  @Test
  void whatIsSaidOfObjectsIsCounted() {
    Load load =
        Estimate.of(
                Shapes.of(
                    Input.NODES, 1_000,
                    Input.PODS_PER_NODE, 10,
                    Input.POD_CHURN, 100,
                    Input.POD_BYTES, 4_000,
                    Input.POD_WRITES, 3,
                    Input.POD_WATCHERS, 2,
                    Input.POD_EVENTS, 0.5,
                    Input.NODE_BYTES, 8_000,
                    Input.STATUS_SECONDS, 1_000,
                    Input.LEASE_WATCHERS, 7,
                    Input.SECRETS_PER_POD, 0.5,
                    Input.SERVICES, 0))
            .load();
    assertThat(load.kind(Load.PODS))
        .isEqualTo(new Kind(Load.PODS, 10_000, 4_000, 300, 3, true, 2.0));
    assertThat(load.kind(Load.NODES))
        .isEqualTo(new Kind(Load.NODES, 1_000, 8_000, 1, 9, true, 2.0));
    assertThat(load.kind(Load.LEASES).watchers()).isEqualTo(7);
    assertThat(load.kind("secrets").objects()).isEqualTo(5_000);
    assertThat(load.kind("configmaps").writesPerSecond()).isEqualTo(50);
    assertThat(load.kind(Load.EVENTS).writesPerSecond()).isBetween(50.0, 51.0);
    assertThat(load.kind(Load.SLICES).storedBytes() + load.kind(Load.SLICES).writesPerSecond())
        .as("nobody selects pods where there are no Services")
        .isZero();
  }

  @Test
  void aMillionNodesRenewAsOftenAsAStoreTakes() {
    Estimate estimate = estimate(1_000_000);
    assertThat(estimate.heartbeat().leaseSeconds()).isEqualTo(160);
    assertThat(estimate.heartbeat().graceSeconds()).isEqualTo(200);
    assertThat(estimate.heartbeat().renewalsPerSecond()).isCloseTo(25_000, within(1.0));
    assertThat(estimate.load().kind(Load.LEASES).historySeconds()).isCloseTo(4.1, within(0.1));
  }

  /** With Exaplane's stores, at their size, the watch cache of Leases is what is full first. */
  @ParameterizedTest
  @CsvSource({
    // nodes, ours, lease, grace, limit
    "5000, false, 40, 50, STORE",
    "5000, true, 40, 50, WATCH_CACHE",
    "100, true, 40, 50, STORE",
    "500000, false, 80, 100, STORE",
    "500000, true, 50, 65, WATCH_CACHE",
    "1000000, false, 160, 200, STORE",
    "1000000, true, 100, 125, WATCH_CACHE",
  })
  void leasesAreRenewedAsOftenAsTheRealLimitAllows(
      long nodes, boolean ours, long lease, long grace, Heartbeat.Limit limit) {
    Heartbeat heartbeat =
        Estimate.of(Shapes.of(Input.NODES, nodes, Input.EXAPLANE_STORES, ours)).heartbeat();
    assertThat(heartbeat.leaseSeconds()).isEqualTo(lease);
    assertThat(heartbeat.graceSeconds()).isEqualTo(grace);
    assertThat(heartbeat.limit()).isEqualTo(limit);
    assertThat(heartbeat.renewalsPerSecond()).isLessThanOrEqualTo(heartbeat.limitPerSecond());
  }

  @ParameterizedTest
  @CsvSource({"10", "5000", "100000"})
  void whatStoresHoldTakesMemoryAsWhatIsExpectedDoes(long nodes) {
    Estimate estimate = estimate(nodes);
    double expected =
        estimate.load().kinds().stream().filter(Kind::cached).mapToDouble(Kind::storedBytes).sum();
    assertThat(estimate.memoryToLoad(expected)).isEqualTo(estimate.memoryLimit());
    assertThat(estimate.memoryToLoad(0)).isLessThanOrEqualTo(estimate.memoryLimit());
    double more = estimate.memoryToLoad(expected + 10 * Bytes.GIB) - estimate.memoryLimit();
    // Nobody knows of which Kind it is: what takes most, and 2.4 times that; in steps of 4 GiB.
    assertThat(more / Bytes.GIB).isCloseTo(10 * Load.MOST_RATIO * 2.4, within(4.0));
  }

  /** One model, read from either end. */
  @ParameterizedTest
  @CsvSource({"10", "5000", "100000"})
  void whatIsLoadedInAMemoryNeedsNoMoreThanThatMemory(long nodes) {
    Estimate estimate = estimate(nodes);
    double before = 0;
    for (double memory = 4 * Bytes.GIB; memory <= 512 * Bytes.GIB; memory += 4 * Bytes.GIB) {
      double bytes = estimate.bytesToLoad(memory);
      assertThat(bytes).isGreaterThanOrEqualTo(before);
      if (bytes > 0) {
        assertThat(estimate.memoryToLoad(bytes - 1)).isLessThanOrEqualTo(memory);
      }
      before = bytes;
    }
    assertThat(before).isPositive();
    assertThat(estimate.bytesToLoad(0)).isZero();
  }

  /** What a store counts of the model's own objects is more than the model has, and has room. */
  @ParameterizedTest
  @CsvSource({"10", "100", "5000", "100000"})
  void objectsHaveTheMemoryThatIsLeftBelowAFullHeap(long nodes) {
    Estimate estimate = estimate(nodes);
    double limit = estimate.memoryLimit();
    double objects = estimate.objectMemory(limit);
    assertThat(objects).isGreaterThan(estimate.memory().objects());
    assertThat(estimate.memory().liveHeap() - estimate.memory().objects() + objects)
        .isCloseTo(Estimate.FULL * limit, within(1.0));
    assertThat(estimate.memoryForObjects(objects - 1)).isLessThanOrEqualTo(limit);
    assertThat(estimate.objectMemory(estimate.memoryForObjects(10 * objects)))
        .isGreaterThanOrEqualTo(10 * objects);
    assertThat(estimate.objectMemory(0)).isZero();
    double counted = estimate.stores().stream().mapToDouble(Store::countedLoad).sum();
    assertThat(counted).isBetween(estimate.memory().objects(), objects);
  }

  @Test
  void moreNodesNeverNeedLess() {
    Estimate before = estimate(1);
    for (long nodes = 2; nodes <= 1_000_000; nodes = nodes * 5 / 4 + 1) {
      Estimate estimate = estimate(nodes);
      assertThat(estimate.replicas()).isGreaterThanOrEqualTo(before.replicas());
      assertThat(estimate.heartbeat().leaseSeconds())
          .isGreaterThanOrEqualTo(before.heartbeat().leaseSeconds());
      assertThat(estimate.concurrency().total())
          .isGreaterThanOrEqualTo(before.concurrency().total());
      assertThat(estimate.replicas() * estimate.memoryLimit())
          .as("memory of %d nodes", nodes)
          .isGreaterThanOrEqualTo(before.replicas() * before.memoryLimit() * 0.95);
      before = estimate;
    }
  }

  @Test
  void kubeApiServersAreAddedUntilTheyFitTheLimitThatWasGiven() {
    Estimate free = estimate(100_000);
    Estimate bound =
        Estimate.of(
            Shapes.of(
                Input.NODES, 100_000, Input.PODS_PER_NODE, 1, Input.APISERVER_MEMORY, "48Gi"));
    assertThat(bound.replicas()).isGreaterThan(free.replicas());
    assertThat(bound.memory().liveHeap()).isLessThanOrEqualTo(Estimate.FULL * bound.memoryLimit());
  }

  @Test
  void requestsInFlightAreBoundedByMemoryAndCores() {
    Estimate small =
        Estimate.of(Shapes.of(Input.NODES, 5_000, Input.APISERVER_CPUS, 8, Input.REPLICAS, 3));
    assertThat(small.concurrency().total()).isLessThanOrEqualTo(8 * 160);
    assertThat(
            Estimate.of(Shapes.of(Input.NODES, 5_000, Input.APISERVER_CPUS, 1))
                .concurrency()
                .total())
        .as("never below the default")
        .isEqualTo(600);
  }

  @Test
  void anExaplaneStoreHasRoomForVersionsThatAreNotCompacted() {
    for (long nodes : new long[] {100, 5_000, 50_000, 1_000_000}) {
      for (Store store : estimate(nodes).stores()) {
        assertThat(Store.quota(store.memory()))
            .as("%s at %d nodes", store.name(), nodes)
            .isGreaterThan(1.49 * store.keptBytes());
        assertThat(store.keptBytes()).isGreaterThan(store.bytes());
      }
    }
    assertThat(estimate(100).stores())
        .singleElement()
        .returns(Store.LEAST_MEMORY, Store::memory)
        .returns(Store.DEFAULT, Store::name);
    assertThat(estimate(50_000).stores())
        .extracting(Store::name)
        .containsExactly(Load.LEASES, Load.NODES, Load.PODS, Load.EVENTS, Store.DEFAULT);
  }

  @Test
  void manySmallObjectsAreBoundedByTheirIndex() {
    Kind small = new Kind("small", 100e6, 1, 0, 0, true, 1);
    assertThat(new Store("small", List.of(small), 300).memory()).isGreaterThan(12 * 80 * 100e6);
  }

  @Test
  void controllersKeepOnePartInThreeMoreThanIsStored() {
    Estimate estimate = estimate(5_000);
    assertThat(estimate.controllers().controllerManager() / Bytes.GIB).isBetween(2.0, 3.0);
    assertThat(estimate.controllers().scheduler())
        .isLessThan(estimate.controllers().controllerManager());
    assertThat(ControllerMemory.request(1)).isEqualTo(128 * Bytes.MIB);
    assertThat(ControllerMemory.request(100 * Bytes.MIB)).isEqualTo(256 * Bytes.MIB);
    assertThat(ControllerMemory.request(2 * Bytes.GIB)).isEqualTo(5 * Bytes.GIB);
  }

  private static Estimate estimate(long nodes) {
    return Estimate.of(Shapes.of(Input.NODES, nodes));
  }
}
