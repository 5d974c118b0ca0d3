// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.CLIENTS;
import static io.exaplane.tuning.version.Component.KUBELET;
import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;
import static io.exaplane.tuning.version.Component.KUBE_SCHEDULER;
import static io.exaplane.tuning.version.Component.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Durations;
import io.exaplane.tuning.version.MinorVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulesTest {
  private static final long[] SIZES = {
    1, 100, 1_000, 5_000, 10_000, 65_536, 65_537, 100_000, 500_000, 1_000_000
  };

  @Test
  void everyVersionAndSizeGetsWhatItsComponentsKnow() {
    for (MinorVersion version : Shapes.MATRIX.minors()) {
      for (long nodes : SIZES) {
        Tuning tuning = Tuning.of(Shapes.of(version.toString(), nodes), Shapes.MATRIX);
        tuning.items().forEach(item -> mustBeKnown(item, version));
        Set<String> names = new HashSet<>();
        assertThat(tuning.items())
            .as("each name once")
            .allMatch(item -> names.add(item.component() + " " + item.kind() + " " + item.name()));
      }
    }
  }

  private static void mustBeKnown(Item item, MinorVersion version) {
    switch (item.kind()) {
      case FLAG ->
          assertThat(Shapes.MATRIX.flag(item.component(), version, item.name()))
              .as("%s of %s", item.name(), version)
              .hasValueSatisfying(
                  flag -> assertThat(flag.isDefault(item.value().toString())).isFalse());
      case GATE ->
          assertThat(Shapes.MATRIX.gate(item.component(), version, item.name()))
              .as("%s of %s", item.name(), version)
              .hasValueSatisfying(gate -> assertThat(gate.locked()).isFalse());
      default -> assertThat(item.value().toString()).isNotEmpty();
    }
  }

  @Test
  void collectorsLimitsAreAPair() {
    for (long nodes : SIZES) {
      assertThat(Shapes.tuning(Input.NODES, nodes).items(KUBE_APISERVER, Type.ENV))
          .extracting(Item::name)
          .containsExactlyInAnyOrder("GOMEMLIMIT", "GOGC");
    }
  }

  @Test
  void exaplanesStoresGetTheMemoryThatTheyNeedAndAnEtcdItsQuota() {
    Tuning ours = Shapes.tuning(Input.NODES, 60_000, Input.EXAPLANE_STORES, true);
    assertThat(ours.items(STORE, Type.RESOURCE))
        .extracting(Item::name)
        .contains("limits.memory[pods]", "limits.memory[coordination.k8s.io/leases]");
    assertThat(ours.warnings()).extracting(Warning::name).doesNotContain("StoreQuotaExceeded");
    assertThat(
            Shapes.tuning(Input.NODES, 100, Input.EXAPLANE_STORES, true)
                .items(STORE, Type.RESOURCE))
        .as("what a store has by itself does")
        .isEmpty();
    Tuning etcd = Shapes.tuning(Input.NODES, 60_000);
    assertThat(etcd.items(STORE, Type.RESOURCE)).isEmpty();
    assertThat(etcd.warnings()).extracting(Warning::name).contains("StoreQuotaExceeded");
    assertThat(
            Shapes.tuning(
                    Input.NODES, 60_000, Input.EXAPLANE_STORES, true, Input.STORE_QUOTA, "4Gi")
                .warnings())
        .as("a bound that somebody set")
        .extracting(Warning::name)
        .contains("StoreQuotaExceeded");
  }

  @Test
  void controllersAskForMemoryAndHaveNoLimit() {
    Tuning tuning = Shapes.tuning(Input.NODES, 5_000);
    for (Component component : List.of(KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER)) {
      assertThat(tuning.items(component, Type.RESOURCE))
          .extracting(Item::name)
          .containsExactly("requests.memory");
    }
  }

  /** k8s-1m: 1,048,576 files for 250,000 connections of each server; a laptop needs none of it. */
  @Test
  void hostsAllowTheConnectionsThatAreExpected() {
    Tuning small = Shapes.tuning(Input.NODES, 100);
    assertThat(small.items(KUBE_APISERVER, Type.HOST))
        .extracting(Item::name)
        .containsExactly("nofile");
    Tuning million = Shapes.tuning(Input.NODES, 1_000_000, Input.REPLICAS, 8);
    assertThat(million.items(KUBE_APISERVER, Type.HOST))
        .extracting(Item::name, item -> item.value().toString())
        .containsExactlyInAnyOrder(
            tuple("nofile", "565562"),
            tuple("net.core.somaxconn", "16384"),
            tuple("net.ipv4.tcp_max_syn_backlog", "16384"),
            tuple("net.netfilter.nf_conntrack_max", "565562"));
    assertThat(value(million, KUBELET, Type.HOST, "nofile")).hasValue("1048576");
    assertThat(value(small, KUBELET, Type.HOST, "fs.inotify.max_user_instances"))
        .as("16 for each of 110 pods")
        .hasValue("1760");
    assertThat(
            value(
                Shapes.tuning(Input.NODES, 100, Input.PODS_PER_NODE, 500),
                KUBELET,
                Type.HOST,
                "net.ipv6.neigh.default.gc_thresh3"))
        .as("8 for each of 550 pods, and 1,024")
        .hasValue("5424");
  }

  @Test
  void smallClustersKeepTheDefaults() {
    Tuning tuning = Shapes.tuning(Input.NODES, 100, Input.KUBERNETES_VERSION, "1.36");
    assertThat(tuning.items(KUBE_APISERVER, Type.FLAG))
        .extracting(Item::name)
        .containsExactlyInAnyOrder(
            "goaway-chance", "shutdown-delay-duration", "shutdown-send-retry-after");
    assertThat(tuning.items(KUBE_APISERVER, Type.APF)).isEmpty();
    assertThat(tuning.items(KUBELET, Type.CONFIG)).isEmpty();
    assertThat(tuning.warnings()).isEmpty();
  }

  /** kops' release-blocking job; its 640 in flight are for 8 cores. */
  @Test
  void fiveThousandNodesLikeTheJobThatBlocksReleases() {
    Tuning tuning = Shapes.tuning(Input.NODES, 5_000, Input.KUBERNETES_VERSION, "1.36");
    assertThat(flag(tuning, KUBE_CONTROLLER_MANAGER, "kube-api-qps")).hasValue("500");
    assertThat(flag(tuning, KUBE_APISERVER, "delete-collection-workers")).hasValue("16");
    assertThat(flag(tuning, KUBE_CONTROLLER_MANAGER, "endpointslice-updates-batch-period"))
        .hasValue("500ms");
    assertThat(value(tuning, KUBE_SCHEDULER, Type.CONFIG, "clientConnection.qps")).hasValue("100");
    assertThat(value(tuning, STORE, Type.CONFIG, "etcd-servers-overrides")).hasValue("/events#URL");
  }

  @Test
  void leavingADefaultWithItsFellowLeavesBoth() {
    for (long nodes : SIZES) {
      Tuning tuning = Shapes.tuning(Input.NODES, nodes);
      assertThat(value(tuning, KUBELET, Type.CONFIG, "nodeStatusUpdateFrequency").isPresent())
          .isEqualTo(value(tuning, KUBELET, Type.CONFIG, "nodeStatusReportFrequency").isPresent());
    }
  }

  @Test
  void fiveRenewalsFitIntoTheGracePeriod() {
    for (long nodes : SIZES) {
      for (String version : List.of("1.30", "1.36")) {
        Tuning tuning = Shapes.tuning(Input.NODES, nodes, Input.KUBERNETES_VERSION, version);
        long lease =
            value(tuning, KUBELET, Type.CONFIG, "nodeLeaseDurationSeconds")
                .map(Long::parseLong)
                .orElse(40L);
        String grace =
            flag(tuning, KUBE_CONTROLLER_MANAGER, "node-monitor-grace-period").orElse("50s");
        assertThat(Durations.nanos(grace)).isGreaterThanOrEqualTo((long) (5 * 0.25 * lease * 1e9));
      }
    }
  }

  @Test
  void streamingListsAreTurnedOffWhereTheyStarveWritersOnly() {
    for (String version : List.of("1.35", "1.36")) {
      Tuning tuning = Shapes.tuning(Input.NODES, 100_000, Input.KUBERNETES_VERSION, version);
      assertThat(value(tuning, KUBE_CONTROLLER_MANAGER, Type.GATE, "WatchListClient"))
          .hasValue("false");
      assertThat(value(tuning, CLIENTS, Type.ENV, "KUBE_FEATURE_WatchListClient"))
          .hasValue("false");
    }
    for (String version : List.of("1.32", "1.33", "1.37")) {
      Tuning tuning = Shapes.tuning(Input.NODES, 100_000, Input.KUBERNETES_VERSION, version);
      assertThat(value(tuning, KUBE_CONTROLLER_MANAGER, Type.GATE, "WatchListClient")).isEmpty();
      assertThat(value(tuning, CLIENTS, Type.ENV, "KUBE_FEATURE_WatchListClient")).isEmpty();
    }
    // 1.34's controller manager turns on what is off in client-go itself.
    Tuning tuning = Shapes.tuning(Input.NODES, 100_000, Input.KUBERNETES_VERSION, "1.34");
    assertThat(value(tuning, KUBE_CONTROLLER_MANAGER, Type.GATE, "WatchListClient"))
        .hasValue("false");
    assertThat(value(tuning, KUBE_SCHEDULER, Type.GATE, "WatchListClient")).isEmpty();
  }

  @Test
  void compressionIsAdvisedAgainstInFastNetworksOnly() {
    String field = "clusters[].cluster.disable-compression";
    assertThat(value(Shapes.tuning(Input.CLIENT_BANDWIDTH, 100), CLIENTS, Type.CONFIG, field))
        .hasValue("true");
    assertThat(value(Shapes.tuning(Input.CLIENT_BANDWIDTH, 10), CLIENTS, Type.CONFIG, field))
        .isEmpty();
    assertThat(value(Shapes.tuning(), CLIENTS, Type.CONFIG, field)).isEmpty();
  }

  @Test
  void discoveryIsAdvisedOnWhereServersLackWhatOlderClientsAskFor() {
    for (String version : List.of("1.32", "1.33")) {
      Tuning tuning = Shapes.tuning(Input.GROUP_VERSIONS, 1_000, Input.KUBERNETES_VERSION, version);
      assertThat(value(tuning, CLIENTS, Type.CONFIG, "discovery.burst"))
          .isEqualTo(version.equals("1.33") ? Optional.of("1050") : Optional.empty());
    }
    assertThat(value(Shapes.tuning(), CLIENTS, Type.CONFIG, "discovery.burst")).isEmpty();
  }

  @Test
  void warnsOfWhatCannotBeMet() {
    assertThat(warnings(Input.NODES, 1_000_000, Input.LEASE_SECONDS, 40))
        .contains("LeaseRateAboveWatchCache");
    assertThat(warnings(Input.NODES, 100_000, Input.STORE_WRITES, 10_000, Input.LEASE_SECONDS, 40))
        .contains("LeaseRateAboveStore");
    assertThat(warnings(Input.NODES, 100_000, Input.APISERVER_MEMORY, "8Gi", Input.REPLICAS, 3))
        .contains("ApiServerUndersized");
    assertThat(warnings(Input.NODES, 100_000, Input.LARGEST_NODE_MEMORY, "16Gi"))
        .contains("LargerThanAnyNode");
    assertThat(warnings(Input.NODES, 100_000, Input.POD_CHURN, 2_000))
        .contains("SliceWritesExceedSeats", "SchedulerTooSlow", "StoreQuotaExceeded");
    assertThat(warnings(Input.NODES, 100_000, Input.POD_CHURN, 2_000, Input.KUBE_PROXY, false))
        .doesNotContain("SliceWritesExceedSeats");
    assertThat(warnings(Input.NODES, 1_000_000)).contains("ShortWatchHistory");
    assertThat(warnings(Input.NODES, 1_000_000, Input.LEASE_WATCHERS, 2))
        .contains("ShortWatchHistory");
    assertThat(warnings(Input.NODES, 1_000_000, Input.LEASE_WATCHERS, 1))
        .doesNotContain("ShortWatchHistory");
    assertThat(warnings(Input.NODES, 100_000, Input.POD_CHURN, 2_000, Input.SCHEDULER_POOL, true))
        .doesNotContain("SchedulerTooSlow");
    assertThat(
            warnings(
                Input.NODES,
                1_000_000,
                Input.EXAPLANE_STORES,
                true,
                Input.LARGEST_NODE_MEMORY,
                "256Gi"))
        .contains("StoreLargerThanAnyNode", "ControllerManagerLargerThanAnyNode");
    assertThat(
            warnings(
                Input.NODES,
                10_000,
                Input.EXAPLANE_STORES,
                true,
                Input.LARGEST_NODE_MEMORY,
                "256Gi"))
        .doesNotContain("StoreLargerThanAnyNode", "ControllerManagerLargerThanAnyNode");
    assertThat(warnings(Input.NODES, 50_000)).contains("WatchTrafficExceedsNetwork");
    assertThat(warnings(Input.NODES, 50_000, Input.KUBE_PROXY, false))
        .doesNotContain("WatchTrafficExceedsNetwork");
  }

  @Test
  void theLimitOfRenewalsIsNamed() {
    assertThat(whyLease(Input.NODES, 1_000_000))
        .contains("here the store: half of its 50,000 writes a second");
    assertThat(whyLease(Input.NODES, 1_000_000, Input.EXAPLANE_STORES, true))
        .contains("here the watch cache of Leases in kube-apiserver: 40,000 events a second");
    assertThat(whyLease(Input.NODES, 1_000_000, Input.STORE_WRITES, 30_000))
        .contains("here the store: half of its 30,000 writes a second");
  }

  private static String whyLease(Object... inputs) {
    return Shapes.tuning(inputs).items().stream()
        .filter(item -> item.name().equals("nodeLeaseDurationSeconds"))
        .map(Item::reason)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aStoreIsFullOfAllThatItHolds() {
    assertThat(warnings(Input.NODES, 20_000, Input.CUSTOM_RESOURCES, 7_000_000))
        .as("pods and custom resources in one store, each below its quota")
        .contains("StoreQuotaExceeded");
    assertThat(warnings(Input.NODES, 20_000)).doesNotContain("StoreQuotaExceeded");
    assertThat(Shapes.tuning(Input.NODES, 200_000).warnings())
        .as("events are kept for as long as they fit")
        .noneMatch(warning -> warning.message().startsWith("the store of events"));
  }

  @Test
  void coresThatNoMachineHasAreReportedAndNotAskedFor() {
    assertThat(warnings(Input.NODES, 1_000_000)).contains("ApiServerCoresExceeded");
    assertThat(warnings(Input.NODES, 100_000, Input.APISERVER_CPUS, 16))
        .contains("ApiServerCoresExceeded");
    assertThat(warnings(Input.NODES, 5_000)).doesNotContain("ApiServerCoresExceeded");
    assertThat(
            value(
                Shapes.tuning(Input.NODES, 1_000_000),
                KUBE_APISERVER,
                Type.RESOURCE,
                "requests.cpu"))
        .hasValue("128");
  }

  @Test
  void addressesForServicesAndPodsAreCounted() {
    assertThat(warnings(Input.NODES, 100_000, Input.KUBERNETES_VERSION, "1.32"))
        .contains("ServiceAddressesExceeded");
    assertThat(warnings(Input.NODES, 100_000, Input.KUBERNETES_VERSION, "1.36"))
        .doesNotContain("ServiceAddressesExceeded");
    assertThat(warnings(Input.PODS_PER_NODE, 250, Input.POD_CIDRS, "10.0.0.0/8"))
        .contains("PodAddressesExceeded");
    assertThat(warnings(Input.POD_CIDRS, "10.0.0.0/8")).doesNotContain("PodAddressesExceeded");
  }

  @Test
  void nodeRangesThatTheControllerManagerRefusesAreNotGivenToIt() {
    Tuning possible = Shapes.tuning(Input.NODES, 60_000, Input.POD_CIDRS, "fd00::/48");
    assertThat(flag(possible, KUBE_CONTROLLER_MANAGER, "cluster-cidr")).hasValue("fd00::/48");
    assertThat(flag(possible, KUBE_CONTROLLER_MANAGER, "allocate-node-cidrs")).hasValue("true");
    assertThat(flag(possible, KUBE_CONTROLLER_MANAGER, "node-cidr-mask-size-ipv6"))
        .as("the default is not said again")
        .isEmpty();
    Tuning tooMany = Shapes.tuning(Input.NODES, 65_537, Input.POD_CIDRS, "fd00::/44");
    assertThat(flag(tooMany, KUBE_CONTROLLER_MANAGER, "cluster-cidr")).isEmpty();
    assertThat(tooMany.warnings()).extracting(Warning::name).contains("NodeCidrsTooMany");
    assertThat(warnings(Input.NODES, 65_537, Input.POD_CIDRS, "fd00::/48"))
        .contains("NodeCidrsTooFew");
    assertThat(warnings(Input.NODES, 2_000, Input.POD_CIDRS, "10.0.0.0/16"))
        .contains("NodeCidrsTooFew");
    assertThatThrownBy(() -> Shapes.tuning(Input.POD_CIDRS, "fd00::/72"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(
            "node-cidr-mask-size-ipv6: '64' must not be shorter than the prefix of fd00::/72");
  }

  @Test
  void serviceRangesByVersion() {
    assertThatThrownBy(
            () ->
                Shapes.tuning(
                    Input.SERVICE_CIDRS, "fd00:10:96::/64", Input.KUBERNETES_VERSION, "1.33"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(
            "service-cidrs: 'fd00:10:96::/64' is too large for kube-apiserver 1.33")
        .hasMessageContaining("/108");
    for (String version : List.of("1.34", "1.36", "1.37")) {
      Shapes.tuning(Input.SERVICE_CIDRS, "fd00:10:96::/64", Input.KUBERNETES_VERSION, version);
      Shapes.tuning(Input.SERVICE_CIDRS, "10.0.0.0/8", Input.KUBERNETES_VERSION, version);
    }
    assertThatThrownBy(() -> Shapes.tuning(Input.SERVICE_CIDRS, "10.96.0.0/31"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'10.96.0.0/31' is too small");
  }

  private static List<String> warnings(Object... inputs) {
    return Shapes.tuning(inputs).warnings().stream().map(Warning::name).toList();
  }

  private static Optional<String> flag(Tuning tuning, Component component, String name) {
    return value(tuning, component, Type.FLAG, name);
  }

  private static Optional<String> value(
      Tuning tuning, Component component, Type kind, String name) {
    return tuning.items(component, kind).stream()
        .filter(item -> item.name().equals(name))
        .map(item -> item.value().toString())
        .findFirst();
  }
}
