// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import io.exaplane.store.api.StoreStatistics;
import io.exaplane.store.wire.CallStatistics;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Metrics of etcd beside those that stand with ours: what alerts and dashboards ask for now and
 * then. METRICS.md tells of each of etcd's that is not served, and why. For one scrape.
 */
final class EtcdMetrics {
  private static final int OK = 0;
  private static final String NO_MEMBERS = "Always 0: there is one member.";

  private final Snapshots out;
  private final StoreStatistics store;
  private final List<CallStatistics> calls;

  EtcdMetrics(Snapshots out, StoreStatistics store, List<CallStatistics> calls) {
    this.out = out;
    this.store = store;
    this.calls = calls;
  }

  /**
   * Adds them.
   *
   * @param memberId of this store
   */
  void add(long memberId) {
    String id = Long.toHexString(memberId);
    out.gauge("etcd_server_id", "Always 1; the label is the id of the member.", 1, "server_id", id);
    out.gauge(
        "etcd_debugging_server_alarms",
        "1 while writes that add data are refused, else 0.",
        store.full() ? 1 : 0,
        "alarm_type",
        "NOSPACE",
        "server_id",
        id);
    keys();
    leases();
    members();
  }

  private void keys() {
    StoreStatistics.Work work = store.work();
    out.counter(
        "etcd_server_slow_apply_total",
        "Batches that took longer than 100 ms, without the wait for the disk.",
        work.slowApplies());
    out.counter(
        "etcd_mvcc_range_total",
        "Ranges, including those in Txns.",
        work.ranges() + started("KV/Range") + started("KV/RangeStream"));
    out.counter("etcd_mvcc_txn_total", "Txns.", started("KV/Txn"));
    out.gauge("etcd_debugging_mvcc_current_revision", "The newest revision.", store.revision());
    out.gauge(
        "etcd_debugging_mvcc_compact_revision",
        "Oldest revision that clients can read.",
        Math.max(0, store.compactedRevision()));
  }

  private void leases() {
    long expired = store.work().expiredLeases();
    out.counter(
        "etcd_debugging_lease_granted_total", "Leases granted.", handled("Lease/LeaseGrant"));
    out.counter(
        "etcd_debugging_lease_revoked_total",
        "Leases revoked, including expired ones.",
        handled("Lease/LeaseRevoke") + expired);
    out.counter(
        "etcd_debugging_lease_renewed_total",
        "Requests to renew a lease.",
        sum("Lease/LeaseKeepAlive", CallStatistics::receivedMessages));
    out.counter("etcd_debugging_server_lease_expired_total", "Leases that expired.", expired);
  }

  /** Zero for good, so that alerts that compare them have something to compare. */
  private void members() {
    out.counter("etcd_server_heartbeat_send_failures_total", NO_MEMBERS, 0);
    out.counter("etcd_server_read_indexes_failed_total", NO_MEMBERS, 0);
    out.counter("etcd_server_slow_read_indexes_total", NO_MEMBERS, 0);
    out.counter("etcd_server_snapshot_apply_in_progress_total", NO_MEMBERS, 0);
    out.growing("etcd_server_learner_promote_successes", NO_MEMBERS, 0);
    out.gauge("etcd_disk_defrag_inflight", "Always 0: there is nothing to defragment.", 0);
  }

  private long started(String method) {
    return sum(method, CallStatistics::started);
  }

  private long handled(String method) {
    return sum(method, each -> each.handled()[OK]);
  }

  private long sum(String method, ToLongFunction<CallStatistics> value) {
    return calls.stream()
        .filter(each -> each.path().equals("/etcdserverpb." + method))
        .mapToLong(value)
        .sum();
  }
}
