// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Heartbeat;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.version.Durations;
import java.util.Locale;

/** How often nodes say that they live, and when they are taken for dead: they must fit. */
final class NodeHeartbeats implements Rule {
  private static final String KEP =
      "KEP-589; pkg/kubelet/kubelet.go: one renewal each quarter of the lease duration";

  /** A watch that breaks is opened again within so many seconds. */
  private static final double LEAST_HISTORY_SECONDS = 15;

  @Override
  public String name() {
    return "node-heartbeats";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    Heartbeat heartbeat = estimate.heartbeat();
    Why lease =
        Why.because("keeps the renewals of all nodes below " + limit(estimate))
            .source(Confidence.H, KEP)
            .risk("a dead node is detected later")
            .with("nodes", estimate.shape().nodes())
            .with("renewals/s", heartbeat.renewalsPerSecond())
            .with("limit/s", heartbeat.limitPerSecond());
    advice.kubelet("nodeLeaseDurationSeconds", heartbeat.leaseSeconds(), lease);
    advice.flag(
        KUBE_CONTROLLER_MANAGER,
        "node-monitor-grace-period",
        Durations.ofSeconds(heartbeat.graceSeconds()),
        Why.because(
                "leaves time for five renewals, and for detecting a dead connection first (30 s "
                    + "without a frame, 15 s for a ping)")
            .source(Confidence.H, "kubernetes #126287, #121793")
            .risk(
                "if the value is too small, the loss of one load balancer makes every node"
                    + " NotReady")
            .with("lease seconds", heartbeat.leaseSeconds()));
    status(estimate, heartbeat, advice);
    double evictionRate = Math.max(0.1, estimate.shape().nodes() / 50_000);
    advice.flag(
        KUBE_CONTROLLER_MANAGER,
        "node-eviction-rate",
        String.format(Locale.ROOT, "%.2g", evictionRate),
        Why.because("evicts dead nodes in proportion to the cluster: nodes / 50,000 a second")
            .source(Confidence.L, "the default of 0.1 fits clusters of 5,000 nodes")
            .risk("a false alarm evicts more nodes")
            .with("nodes", estimate.shape().nodes()));
    warnings(estimate, heartbeat, lease, advice);
    warnOfHistory(estimate, advice);
  }

  private static String limit(Estimate estimate) {
    if (estimate.heartbeat().limit() == Heartbeat.Limit.WATCH_CACHE) {
      return "the limit, here the watch cache of Leases in kube-apiserver: %s events a second"
          .formatted(Numbers.text(Heartbeat.WATCH_CACHE_EVENTS_PER_SECOND));
    }
    return "the limit, here the store: half of its %s writes a second"
        .formatted(Numbers.text(estimate.shape().number(Input.STORE_WRITES)));
  }

  /** Both or neither: one of them alone changes the other's default. */
  private static void status(Estimate estimate, Heartbeat heartbeat, Advice advice) {
    if (heartbeat.statusReportSeconds() == Heartbeat.DEFAULT_STATUS_SECONDS) {
      return;
    }
    Why why =
        Why.because("sends the Node object of 20 to 30 KB less often when nothing changes")
            .source(
                Confidence.H,
                "KEP-589; pkg/kubelet/apis/config/v1beta1/defaults.go: setting one field also sets"
                    + " the other")
            .risk("changes of allocatable resources and conditions show later")
            .with("nodes", estimate.shape().nodes());
    advice.kubelet("nodeStatusUpdateFrequency", heartbeat.statusUpdateSeconds() + "s", why);
    advice.kubelet(
        "nodeStatusReportFrequency", Durations.ofSeconds(heartbeat.statusReportSeconds()), why);
  }

  private static void warnings(Estimate estimate, Heartbeat heartbeat, Why why, Advice advice) {
    boolean cacheIsFull =
        advice.exceeds(
            new Limit(
                "renewals of Leases through a watch cache",
                "LeaseRateAboveWatchCache",
                heartbeat.renewalsPerSecond(),
                Heartbeat.WATCH_CACHE_EVENTS_PER_SECOND,
                Limit.Unit.PER_SECOND));
    if (cacheIsFull) {
      advice.warn(
          "LeaseRateAboveWatchCache",
          String.format(
              "nodes renew %s Leases a second, but the watch cache of one resource delivers about"
                  + " %s events a second",
              Numbers.text(heartbeat.renewalsPerSecond()),
              Numbers.text(Heartbeat.WATCH_CACHE_EVENTS_PER_SECOND)),
          "raise "
              + Input.LEASE_SECONDS.key()
              + " to "
              + (long)
                  Numbers.roundUp(4 * estimate.shape().nodes() / heartbeat.limitPerSecond(), 10),
          why);
    } else if (advice.exceeds(
        new Limit(
            "renewals of Leases, half of a store's writes",
            "LeaseRateAboveStore",
            heartbeat.renewalsPerSecond(),
            heartbeat.limitPerSecond(),
            Limit.Unit.PER_SECOND))) {
      advice.warn(
          "LeaseRateAboveStore",
          String.format(
              "nodes renew %s Leases a second, more than half of a store's capacity (%s)",
              Numbers.text(heartbeat.renewalsPerSecond()),
              Numbers.text(2 * heartbeat.limitPerSecond())),
          "raise " + Input.LEASE_SECONDS.key() + ", or use a faster store",
          why);
    }
  }

  private static void warnOfHistory(Estimate estimate, Advice advice) {
    Kind leases = estimate.load().kind(Load.LEASES);
    boolean isPrivate = estimate.shape().knownNumber(Input.LEASE_WATCHERS).orElse(0.0) == 1;
    if (!isPrivate
        && advice.exceeds(
            new Limit(
                "time that a watcher of Leases may be away",
                "ShortWatchHistory",
                LEAST_HISTORY_SECONDS,
                leases.historySeconds(),
                Limit.Unit.SECONDS))) {
      advice.warn(
          "ShortWatchHistory",
          String.format(
              Locale.ROOT,
              "kube-apiserver remembers %.1f s of Lease changes; a client that is away for longer "
                  + "lists all %s Leases again",
              leases.historySeconds(),
              Numbers.text(leases.objects())),
          "let only the controller manager watch Leases of nodes ("
              + Input.LEASE_WATCHERS.key()
              + "=1)",
          Why.because("")
              .source(Confidence.H, "pkg/storage/cacher/watch_cache.go: at most 102,400 events")
              .with("writes/s", leases.writesPerSecond()));
    }
  }
}
