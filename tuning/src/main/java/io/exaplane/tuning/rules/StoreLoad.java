// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;
import static io.exaplane.tuning.version.Component.STORE;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Store;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Durations;
import java.util.List;
import java.util.stream.Collectors;

/** Which Kinds have a store of their own, and how often stores are compacted and counted. */
final class StoreLoad implements Rule {
  private static final String MEMORY = "limits.memory[%s]";

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
        Why.because(
                "each of these resources has its own store; replace URL with the store's address")
            .source(
                Confidence.M,
                "kops, OpenAI 7,500 nodes (events), k8s-1m (leases, nodes, pods), Alibaba 10,000")
            .risk(
                "clients cannot compare resourceVersions of different stores; custom resources"
                    + " cannot be routed. A later change is a migration")
            .with("nodes", nodes)
            .with("renewals/s", estimate.heartbeat().renewalsPerSecond())
            .with("pod churn/s", estimate.shape().number(Input.POD_CHURN)));
    compaction(estimate, advice);
    memory(estimate, advice);
    if (estimate.load().kinds().stream().anyMatch(kind -> kind.objects() >= 1e6)) {
      advice.flag(
          KUBE_APISERVER,
          "etcd-count-metric-poll-period",
          "2m",
          Why.because(
                  "each poll walks all keys of a resource; statistics older than 3 min make LISTs"
                      + " expensive")
              .source(Confidence.H, "pkg/storage/etcd3/stats.go; object_count_tracker.go")
              .risk("counts are two minutes old")
              .with("objects", estimate.load().cachedObjects()));
    }
    warnings(estimate, advice);
  }

  private static String slashed(String resource) {
    return resource.contains("/") ? resource : "/" + resource;
  }

  private static void compaction(Estimate estimate, Advice advice) {
    advice.flag(
        KUBE_APISERVER,
        "etcd-compaction-interval",
        Durations.ofSeconds((long) estimate.compactionSeconds()),
        Why.because("old revisions of the busiest store take at most a tenth of its quota")
            .source(Confidence.M, "pkg/storage/etcd3/compact.go; kops: 150s at 5,000 nodes")
            .risk("the server refuses older continue tokens with 410")
            .with("bytes/s to the busiest store", estimate.busiestBytesPerSecond())
            .with(
                "store quota", estimate.shape().storeQuota().map(Bytes::text).orElse("as needed")));
  }

  /** An Exaplane store takes its quota from its memory; of etcd's memory nothing was measured. */
  private static void memory(Estimate estimate, Advice advice) {
    if (!estimate.shape().isTrue(Input.EXAPLANE_STORES)) {
      return;
    }
    double largest =
        estimate.shape().knownNumber(Input.LARGEST_NODE_MEMORY).orElse(Double.MAX_VALUE);
    for (Store store : estimate.stores()) {
      double least = Store.memoryFor(store.keptBytes());
      if (largest < Double.MAX_VALUE
          && advice.exceeds(
              new Limit(
                  "memory of " + called(store),
                  "StoreLargerThanAnyNode",
                  least,
                  largest,
                  Limit.Unit.BYTES))) {
        advice.warn(
            "StoreLargerThanAnyNode",
            String.format(
                "%s needs %s for its objects and their versions, most of it for %s, but the largest"
                    + " node has %s",
                called(store),
                Bytes.text(least),
                store.most(Kind::storedBytes),
                Bytes.text(largest)),
            "add larger nodes, or make the objects smaller or fewer",
            why("a store keeps all versions in memory until they are compacted")
                .with("kept", Bytes.text(store.keptBytes())));
      }
      // On a node that is too small for the room, a store has what the node has.
      double memory = Math.min(store.memory(), Math.max(least, largest));
      advice.other(
          STORE,
          Type.RESOURCE,
          MEMORY.formatted(store.name()),
          (long) (memory / Bytes.MIB) + "Mi",
          (long) (Store.LEAST_MEMORY / Bytes.MIB) + "Mi",
          Why.because(
                  "1.5 times the size of all objects and the versions of two compaction intervals;"
                      + " a store uses half of its memory for records")
              .source(Confidence.M, "controlplane-store: app/Space.java; etcd3/compact.go")
              .risk("a full store refuses writes until you delete objects or the store compacts")
              .with("kept", Bytes.text(store.keptBytes()))
              .with("newest versions", Bytes.text(store.bytes()))
              .with("writes/s", store.writesPerSecond()));
    }
  }

  private static void warnings(Estimate estimate, Advice advice) {
    double quota = estimate.shape().storeQuota().orElse(Double.MAX_VALUE);
    boolean exaplane = estimate.shape().isTrue(Input.EXAPLANE_STORES);
    double bandwidth = estimate.shape().number(Input.STORE_BANDWIDTH) * 1e6;
    double writes = estimate.shape().number(Input.STORE_WRITES);
    for (Store store : estimate.stores()) {
      double bytes = exaplane ? store.keptBytes() : store.bytes();
      if (quota < Double.MAX_VALUE
          && advice.exceeds(
              new Limit(
                  "quota of " + called(store),
                  "StoreQuotaExceeded",
                  bytes,
                  quota,
                  Limit.Unit.BYTES))) {
        advice.warn(
            "StoreQuotaExceeded",
            String.format(
                "%s needs %s, most of it for %s, but a store's quota is %s",
                called(store), Bytes.text(bytes), store.most(Kind::storedBytes), Bytes.text(quota)),
            "raise the quota (etcd supports up to 8 GiB; Exaplane's store is limited by its"
                + " memory)",
            why(exaplane ? "until they are compacted" : "newest revisions; older ones come on top")
                .with("bytes", bytes));
      }
      if (advice.exceeds(
          new Limit(
              "writes to " + called(store),
              "StoreWritesExceeded",
              store.writesPerSecond(),
              writes,
              Limit.Unit.PER_SECOND))) {
        advice.warn(
            "StoreWritesExceeded",
            String.format(
                "%s gets %s writes a second, most of them of %s, but a store sustains %s",
                called(store),
                Numbers.text(Math.ceil(store.writesPerSecond())),
                store.most(Kind::writesPerSecond),
                Numbers.text(writes)),
            "change the objects less often; a resource cannot be split over stores",
            why("rates").with("writes/s", store.writesPerSecond()));
      }
      double egress = estimate.replicas() * store.writtenBytesPerSecond();
      if (advice.exceeds(
          new Limit(
              "network of " + called(store),
              "StoreNetworkExceeded",
              egress,
              0.7 * bandwidth,
              Limit.Unit.BYTES_PER_SECOND))) {
        advice.warn(
            "StoreNetworkExceeded",
            String.format(
                "%d kube-apiservers watch everything: %s/s leave %s, but its network carries %s/s",
                estimate.replicas(), Bytes.text(egress), called(store), Bytes.text(bandwidth)),
            "run fewer kube-apiservers, or use a faster network for this store",
            why("egress = kube-apiservers · writes · bytes").with("bytes/s", egress));
      }
    }
  }

  private static String called(Store store) {
    return store.name().equals(Store.DEFAULT)
        ? "the default store"
        : "the store of " + store.name();
  }

  private static Why why(String reason) {
    return Why.because(reason).source(Confidence.M, "reference/tuning.md §3.3, §3.5");
  }
}
