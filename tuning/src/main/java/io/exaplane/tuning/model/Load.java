// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a cluster asks of its control plane, all kube-apiservers together.
 *
 * @param watches open at once
 * @param eventSeconds for which Events are kept: half of a store's quota, ten minutes to an hour
 */
public record Load(
    List<Kind> kinds,
    double watches,
    double rewatchesPerSecond,
    double connections,
    double eventSeconds) {
  public static final String LEASES = "coordination.k8s.io/leases";
  public static final String NODES = "nodes";
  public static final String PODS = "pods";
  public static final String EVENTS = "events";
  public static final String SLICES = "discovery.k8s.io/endpointslices";
  public static final String CUSTOM_RESOURCES = "custom resources";

  /** client-go asks for a watch of 5 to 10 minutes (tools/cache/reflector.go). */
  static final double WATCH_SECONDS = 450;

  /** Clients that watch a whole resource: controllers, the scheduler, operators. */
  private static final double CLUSTER_WIDE_WATCHERS = 8;

  /** What one kube-scheduler binds a second at best, on a cluster of 5,000 nodes. */
  public static final double PODS_PER_SCHEDULER = 300;

  private static final double EVENT_BYTES = 1_000;
  private static final double BUILT_IN_RATIO = 2.0;
  private static final double CUSTOM_RATIO = 5.2;

  /**
   * Memory by stored bytes of what takes most: custom resources of many small fields, measured on
   * 1.36.3 (DESIGN.md).
   */
  public static final double MOST_RATIO = 10;

  static Load of(Shape shape, Heartbeat heartbeat) {
    double nodes = shape.nodes();
    double pods = shape.pods();
    double churn = shape.number(Input.POD_CHURN);
    double services = shape.number(Input.SERVICES);
    double proxies = shape.isTrue(Input.KUBE_PROXY) ? nodes : 0;
    double events = shape.number(Input.POD_EVENTS) * churn + nodes / 6_000;
    double secrets = shape.number(Input.SECRETS_PER_POD);
    double eventSeconds =
        Numbers.clamp(
            0.5 * shape.storeQuota().orElse(Double.MAX_VALUE) / (events * EVENT_BYTES + 1),
            600,
            3_600);
    double all = CLUSTER_WIDE_WATCHERS;
    List<Kind> kinds =
        List.of(
            builtIn(
                LEASES,
                nodes,
                600,
                heartbeat.renewalsPerSecond(),
                shape.knownNumber(Input.LEASE_WATCHERS).orElse(1.0)),
            builtIn(
                NODES,
                nodes,
                shape.number(Input.NODE_BYTES),
                nodes / heartbeat.statusReportSeconds(),
                all + 1),
            // A kubelet is told of its own pods only: one more watcher for each write.
            builtIn(
                PODS,
                pods,
                shape.number(Input.POD_BYTES),
                shape.number(Input.POD_WRITES) * churn,
                shape.number(Input.POD_WATCHERS) + 1),
            new Kind(EVENTS, events * eventSeconds, EVENT_BYTES, events, 1, false, BUILT_IN_RATIO),
            builtIn(
                SLICES,
                services == 0 ? 0 : Math.max(services, pods / 100),
                5_000,
                services == 0 ? 0 : churn,
                all + proxies),
            builtIn("services", services, 1_500, services / 86_400, all + proxies),
            builtIn("configmaps", secrets * pods, 2_000, secrets * churn, all),
            builtIn("secrets", secrets * pods, 2_000, secrets * churn / 2, all),
            builtIn("apps/replicasets", pods / 10, 3_000, churn / 2, all),
            new Kind(
                CUSTOM_RESOURCES,
                shape.number(Input.CUSTOM_RESOURCES),
                shape.number(Input.CUSTOM_RESOURCE_BYTES),
                shape.number(Input.CUSTOM_RESOURCES) / 600,
                2,
                true,
                CUSTOM_RATIO));
    double watches = shape.number(Input.WATCHES_PER_NODE) * nodes + 60 * all;
    // Kubelet, and kube-proxy or a CNI plugin's agent.
    return new Load(kinds, watches, watches / WATCH_SECONDS, 2 * nodes + 100, eventSeconds);
  }

  private static Kind builtIn(
      String resource, double objects, double bytes, double writesPerSecond, double watchers) {
    return new Kind(resource, objects, bytes, writesPerSecond, watchers, true, BUILT_IN_RATIO);
  }

  public Kind kind(String resource) {
    return kinds.stream()
        .filter(kind -> kind.resource().equals(resource))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kind " + resource));
  }

  public double writesPerSecond() {
    return sum(Kind::writesPerSecond);
  }

  /** Reads (GET before PUT, token reviews), writes and watches that begin, a second. */
  public double requestsPerSecond() {
    Kind nodes = kind(NODES);
    return writesPerSecond() + nodes.writesPerSecond() + rewatchesPerSecond;
  }

  /** Watch events that are sent to clients, a second. */
  public double eventsSentPerSecond() {
    return sum(kind -> kind.writesPerSecond() * kind.watchers());
  }

  /** Bytes of these events, a second. */
  public double eventBytesPerSecond() {
    return sum(kind -> kind.writesPerSecond() * kind.watchers() * kind.bytes());
  }

  /** Bytes that are written to stores, a second; each kube-apiserver reads all of it. */
  public double writtenBytesPerSecond() {
    return sum(kind -> kind.writesPerSecond() * kind.bytes());
  }

  /** Writes that each kube-apiserver decodes and keeps in a watch cache, a second. */
  public double cachedWritesPerSecond() {
    return sum(kind -> kind.cached() ? kind.writesPerSecond() : 0);
  }

  /** Bytes in the store of the resource that takes most of those in watch caches. */
  public double largestCachedBytes() {
    return mostOfCached(Kind::storedBytes);
  }

  /** Objects of the resource that has most of those in watch caches. */
  public double mostCachedObjects() {
    return mostOfCached(Kind::objects);
  }

  private double mostOfCached(ToDoubleFunction<Kind> figure) {
    return kinds.stream().filter(Kind::cached).mapToDouble(figure).max().orElse(0);
  }

  /** Objects in watch caches. */
  public double cachedObjects() {
    return sum(kind -> kind.cached() ? kind.objects() : 0);
  }

  private double sum(ToDoubleFunction<Kind> figure) {
    return kinds.stream().mapToDouble(figure).sum();
  }
}
