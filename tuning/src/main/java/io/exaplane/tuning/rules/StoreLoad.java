// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.STORE;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Which Kinds have a store of their own, and how often stores are compacted and counted. */
final class StoreLoad implements Rule {
  @Override
  public String name() {
    return "store-load";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    List<String> routes = estimate.routedResources();
    double nodes = estimate.shape().nodes();
    advice.other(
        STORE,
        Type.CONFIG,
        "etcd-servers-overrides",
        routes.stream()
            .map(resource -> slashed(resource) + "#URL")
            .collect(Collectors.joining(",")),
        "",
        Why.because("each of these resources has a store of its own; put its address for URL")
            .source(
                Confidence.M,
                "kops, OpenAI 7,500 nodes (events); k8s-1m (leases, nodes, pods); Alibaba 10,000")
            .risk(
                "resourceVersions of different stores cannot be compared; a change later is a"
                    + " migration; custom resources cannot be routed")
            .with("nodes", nodes)
            .with("renewals/s", estimate.heartbeat().renewalsPerSecond())
            .with("pod churn/s", estimate.shape().number(Input.POD_CHURN)));
    compaction(estimate, routes, advice);
    if (estimate.load().kinds().stream().anyMatch(kind -> kind.objects() >= 1e6)) {
      advice.flag(
          KUBE_APISERVER,
          "etcd-count-metric-poll-period",
          "2m",
          Why.because(
                  "each poll walks all keys of a resource; statistics older than 3 min make LISTs dear")
              .source(Confidence.H, "pkg/storage/etcd3/stats.go; object_count_tracker.go")
              .risk("counts are two minutes old")
              .with("objects", estimate.load().cachedObjects()));
    }
    warnings(estimate, routes, advice);
  }

  private static String slashed(String resource) {
    return resource.contains("/") ? resource : "/" + resource;
  }

  private static void compaction(Estimate estimate, List<String> routes, Advice advice) {
    double quota = estimate.shape().number(Input.STORE_QUOTA);
    double busiest = busiestBytesPerSecond(estimate, routes);
    double seconds = Numbers.clamp(0.1 * quota / busiest, 150, 600);
    // The default is kept where it does: a longer interval buys nothing.
    advice.flag(
        KUBE_APISERVER,
        "etcd-compaction-interval",
        Durations.ofSeconds(Math.min(300, (long) (seconds / 30) * 30)),
        Why.because("old revisions of the busiest store take at most a tenth of its quota")
            .source(Confidence.M, "pkg/storage/etcd3/compact.go; kops: 150s at 5,000 nodes")
            .risk("continue tokens that are older than it are refused with 410")
            .with("bytes/s to the busiest store", busiest)
            .with("store quota", Bytes.text(quota)));
  }

  /** What one store has to carry. */
  private record Store(String name, List<Kind> kinds) {
    double bytes() {
      return kinds.stream().mapToDouble(Kind::storedBytes).sum();
    }

    double writesPerSecond() {
      return kinds.stream().mapToDouble(Kind::writesPerSecond).sum();
    }

    double writtenBytesPerSecond() {
      return kinds.stream().mapToDouble(kind -> kind.writesPerSecond() * kind.bytes()).sum();
    }

    /** The Kind that has the most of something. */
    String most(ToDoubleFunction<Kind> figure) {
      return kinds.stream().max(Comparator.comparingDouble(figure)).orElseThrow().resource();
    }
  }

  /** The stores that the routes make: one each, and the default one with the rest. */
  private static List<Store> stores(Estimate estimate, List<String> routes) {
    List<Store> stores = new ArrayList<>();
    List<Kind> others = new ArrayList<>();
    for (Kind kind : estimate.load().kinds()) {
      if (routes.contains(kind.resource())) {
        stores.add(new Store("the store of " + kind.resource(), List.of(kind)));
      } else {
        others.add(kind);
      }
    }
    stores.add(new Store("the default store", others));
    return stores;
  }

  private static double busiestBytesPerSecond(Estimate estimate, List<String> routes) {
    return stores(estimate, routes).stream()
        .mapToDouble(Store::writtenBytesPerSecond)
        .max()
        .orElse(1);
  }

  private static void warnings(Estimate estimate, List<String> routes, Advice advice) {
    double quota = estimate.shape().number(Input.STORE_QUOTA);
    double bandwidth = estimate.shape().number(Input.STORE_BANDWIDTH) * 1e6;
    double writes = estimate.shape().number(Input.STORE_WRITES);
    for (Store store : stores(estimate, routes)) {
      if (store.bytes() > quota) {
        advice.warn(
            "StoreQuotaExceeded",
            String.format(
                "%s would hold %s, most of it %s, and a store's quota is %s",
                store.name(),
                Bytes.text(store.bytes()),
                store.most(Kind::storedBytes),
                Bytes.text(quota)),
            "raise the quota (etcd is not meant for more than 8 GiB; Exaplane's store takes what"
                + " its memory holds)",
            why("newest revisions; older ones come on top").with("bytes", store.bytes()));
      }
      if (store.writesPerSecond() > writes) {
        advice.warn(
            "StoreWritesExceeded",
            String.format(
                "%s would be written %s times a second, most of it %s, and a store takes %s",
                store.name(),
                Numbers.text(Math.ceil(store.writesPerSecond())),
                store.most(Kind::writesPerSecond),
                Numbers.text(writes)),
            "a resource cannot be split over stores: change it less often",
            why("rates").with("writes/s", store.writesPerSecond()));
      }
      double egress = estimate.replicas() * store.writtenBytesPerSecond();
      if (egress > 0.7 * bandwidth) {
        advice.warn(
            "StoreNetworkExceeded",
            String.format(
                "each of %d kube-apiservers watches all of it: %s/s would leave %s, whose network"
                    + " carries %s/s",
                estimate.replicas(), Bytes.text(egress), store.name(), Bytes.text(bandwidth)),
            "fewer kube-apiservers, or a faster network for this store",
            why("egress = kube-apiservers · writes · bytes").with("bytes/s", egress));
      }
    }
  }

  private static Why why(String reason) {
    return Why.because(reason).source(Confidence.M, "reference/tuning.md §3.3, §3.5");
  }
}
