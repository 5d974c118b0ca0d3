// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import io.exaplane.store.api.StoreStatistics;
import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.api.watch.WatchStatistics;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.PrefixSpace;
import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.journal.Recovered;
import io.exaplane.store.wire.CallStatistics;
import io.exaplane.store.wire.GrpcStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The store's metrics, at the time of a scrape: its own, by Kind, and those of etcd that common
 * dashboards and alerts ask for (etcd's contrib/mixin), as far as a store without raft has them.
 */
final class StoreCollector implements MultiCollector {
  /**
   * What a scrape shows.
   *
   * @param store what was last known of the store
   * @param stalled whether the journal can't be written
   * @param slow requests that took long
   * @param memberId of this store
   * @param diskWaitNanos how long the write under way has waited for the disk
   */
  record Source(
      StoreStatistics store,
      List<CallStatistics> calls,
      List<SlowRequests.Count> slow,
      boolean stalled,
      long diskWaitNanos,
      long memberId) {}

  private final Supplier<Source> source;
  private final ServerStatistics serverStatistics;
  private final String version;

  StoreCollector(Supplier<Source> source, ServerStatistics serverStatistics, String version) {
    this.source = source;
    this.serverStatistics = serverStatistics;
    this.version = version;
  }

  @Override
  public MetricSnapshots collect() {
    Snapshots out = new Snapshots();
    Source now = source.get();
    store(out, now.store());
    kinds(out, now.store());
    prefixes(out, now.store());
    ages(out, now.store());
    watches(out, now.store().watches());
    server(out, now);
    now.calls().forEach(calls -> calls(out, calls));
    slow(out, now.slow());
    network(out, now.calls());
    new EtcdMetrics(out, now.store(), now.calls()).add(now.memberId());
    serverStatistics.add(out);
    ProcessMetrics.add(out);
    return out.all();
  }

  private static void store(Snapshots out, StoreStatistics store) {
    for (Recovered outcome : Recovered.values()) {
      out.gauge(
          "exaplane_store_recovered",
          "1 for the data that the store found at its start: none, everything that clients have seen, or perhaps less.",
          store.recovered() == outcome ? 1 : 0,
          "outcome",
          outcome.name().toLowerCase(Locale.ROOT));
    }
    out.gauge("exaplane_store_revision", "The newest revision.", store.revision());
    out.gauge(
        "exaplane_store_durable_revision",
        "The newest revision that the next start must find in the data folder. Writes of keys with a weaker durability than fsync do not count, unless all keys have one.",
        store.durableRevision());
    out.gauge(
        "exaplane_store_compacted_revision",
        "Oldest revision that clients can read.",
        Math.max(0, store.compactedRevision()));
    out.gauge("exaplane_store_record_bytes", "Bytes of all stored versions.", store.recordBytes());
    out.gauge(
        "exaplane_store_live_bytes",
        "Bytes of the newest versions of the existing keys.",
        store.liveBytes());
    load(out, store);
    out.gauge(
        "exaplane_store_reserve_bytes",
        "Bytes above the quota, for writes that do not add data.",
        store.limits().recordReserve());
    out.gauge(
        "exaplane_store_reserve_used_bytes",
        "Bytes of the reserve that are in use.",
        store.reserveUsedBytes());
    out.counter(
        "exaplane_store_self_compactions_total",
        "Compactions by the store itself, when space was short.",
        store.compactionsForSpace());
    out.gauge(
        "exaplane_store_segment_bytes", "Bytes of memory that hold versions.", store.takenBytes());
    out.gauge(
        "exaplane_store_index_bytes", "Bytes of heap for the index of keys.", store.indexBytes());
    out.gauge(
        "exaplane_store_index_limit_bytes",
        "Limit above which writes that add data are refused.",
        store.limits().indexBytes());
    out.gauge(
        "exaplane_store_space_exceeded",
        "1 while writes that add data are refused, else 0.",
        store.full() ? 1 : 0);
    out.gauge(
        "exaplane_store_history_events",
        "Changes from which a watch can still start.",
        store.events());
    out.gauge("exaplane_store_leases", "Existing leases.", store.leases());
    out.gauge(
        "exaplane_store_journal_bytes", "Bytes of the log behind the snapshot.", store.logBytes());
    out.gauge(
        "etcd_mvcc_db_total_size_in_bytes",
        "Bytes of memory that hold versions.",
        store.takenBytes());
    out.gauge(
        "etcd_mvcc_db_total_size_in_use_in_bytes",
        "Bytes of all stored versions.",
        store.recordBytes());
    out.gauge(
        "etcd_server_quota_backend_bytes",
        "Limit above which writes that add data are refused.",
        store.limits().recordBytes());
    out.counter(
        "etcd_debugging_mvcc_keys_total",
        "Existing keys.",
        sum(store.kinds(), StoreStatistics.Kind::keys));
    out.counter(
        "etcd_mvcc_put_total", "Versions put.", sum(store.kinds(), StoreStatistics.Kind::puts));
    out.counter(
        "etcd_mvcc_delete_total",
        "Keys deleted.",
        sum(store.kinds(), StoreStatistics.Kind::deletes));
    out.histogram(
        "etcd_disk_wal_fsync_duration_seconds", "Time to make a batch durable.", store.syncTimes());
    out.histogram(
        "etcd_disk_backend_commit_duration_seconds",
        "Time to make a batch durable: there is no backend beside the log.",
        store.syncTimes());
  }

  private static void load(Snapshots out, StoreStatistics store) {
    out.gauge(
        "exaplane_store_load_bytes",
        "Estimated memory of one kube-apiserver that has loaded the newest versions.",
        store.loadBytes());
    long limit = store.limits().loadBytes();
    if (limit != SpaceLimits.UNLIMITED) {
      out.gauge(
          "exaplane_store_load_quota_bytes",
          "Limit of that memory above which writes that add data are refused. Only with --quota-load-bytes.",
          limit);
    }
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> value) {
    return all.stream().mapToLong(value).sum();
  }

  private static void kinds(Snapshots out, StoreStatistics store) {
    for (StoreStatistics.Kind kind : store.kinds()) {
      String[] labels = {"kind", kind.name(), "prefix", kind.prefix()};
      out.gauge(
          "exaplane_store_kind_history_start_revision",
          "Oldest revision of these keys that clients can read.",
          Math.max(0, kind.historyStart()),
          labels);
      out.gauge("exaplane_store_kind_keys", "Existing keys.", kind.keys(), labels);
      out.gauge("exaplane_store_kind_bytes", "Bytes of all stored versions.", kind.bytes(), labels);
      out.gauge(
          "exaplane_store_kind_live_bytes",
          "Bytes of the newest versions of the existing keys.",
          kind.liveBytes(),
          labels);
      out.gauge(
          "exaplane_store_kind_load_bytes",
          "Estimated memory of one kube-apiserver that has loaded these objects.",
          kind.loadBytes(),
          labels);
      out.counter("exaplane_store_kind_puts_total", "Versions put.", kind.puts(), labels);
      out.counter("exaplane_store_kind_deletes_total", "Keys deleted.", kind.deletes(), labels);
    }
  }

  private static void prefixes(Snapshots out, StoreStatistics store) {
    for (PrefixSpace space : store.prefixes()) {
      String[] labels = {"prefix", space.prefix()};
      out.gauge(
          "exaplane_store_prefix_bytes",
          "Bytes of all stored versions of keys with a prefix that has a quota.",
          space.bytes(),
          labels);
      out.gauge(
          "exaplane_store_prefix_live_bytes",
          "Bytes of the newest versions of these keys.",
          space.liveBytes(),
          labels);
      out.gauge(
          "exaplane_store_prefix_quota_bytes",
          "Limit above which writes that add data to these keys are refused.",
          space.maxBytes(),
          labels);
    }
  }

  private static void ages(Snapshots out, StoreStatistics store) {
    for (WriteAges.Answer keys : store.ages()) {
      for (WriteAges.Unwritten unwritten : keys.unwritten()) {
        out.gauge(
            "exaplane_store_unwritten_keys",
            "Existing keys below a prefix that were not written for so many seconds. Ages begin again at each start of the store.",
            unwritten.keys(),
            "prefix",
            keys.prefix(),
            "seconds",
            Long.toString(TimeUnit.MILLISECONDS.toSeconds(unwritten.ms())));
      }
    }
  }

  private static void watches(Snapshots out, List<WatchStatistics> loops) {
    Map<String, Integer> byKind = new TreeMap<>();
    loops.forEach(loop -> loop.byKind().forEach((k, n) -> byKind.merge(k, n, Integer::sum)));
    byKind.forEach(
        (kind, watches) ->
            out.gauge("exaplane_store_kind_watches", "Watches by Kind.", watches, "kind", kind));
    out.counter(
        "etcd_debugging_mvcc_watcher_total",
        "Watches.",
        byKind.values().stream().mapToInt(n -> n).sum());
    out.counter(
        "etcd_debugging_mvcc_watch_stream_total",
        "Calls that carry watches.",
        sum(loops, WatchStatistics::streams));
    out.counter(
        "etcd_debugging_mvcc_slow_watcher_total",
        "Watches that have not received all events.",
        sum(loops, WatchStatistics::slow));
    out.counter(
        "etcd_debugging_mvcc_events_total",
        "Events sent to watches.",
        sum(loops, WatchStatistics::sentEvents));
    out.gauge(
        "exaplane_store_watch_lag_events",
        "Events that the slowest watch has not received.",
        loops.stream().mapToLong(WatchStatistics::lagEvents).max().orElse(0));
  }

  private void server(Snapshots out, Source now) {
    out.gauge(
        "etcd_server_has_leader",
        "1 while the store accepts writes, else 0.",
        now.stalled() ? 0 : 1);
    out.gauge("etcd_server_is_leader", "Always 1: there is one member.", 1);
    out.gauge("etcd_server_is_learner", "Always 0: there is one member.", 0);
    out.gauge(
        "exaplane_store_journal_stalled",
        "1 while the journal is not writable, else 0.",
        now.stalled() ? 1 : 0);
    out.gauge(
        "exaplane_store_disk_wait_seconds",
        "Time that the current write has waited for the disk; from 5 s on, the store is not ready.",
        now.diskWaitNanos() / 1e9);
    out.counter("etcd_server_leader_changes_seen_total", "Always 0: there is one member.", 0);
    out.counter(
        "etcd_server_proposals_failed_total",
        "Writes that were refused, since the journal was not writable.",
        now.store().refusedWrites());
    out.gauge(
        "etcd_server_proposals_pending",
        "Writes that wait for the writing thread.",
        now.store().waitingWrites());
    out.counter("etcd_server_proposals_committed_total", "Revisions.", now.store().revision());
    out.counter("etcd_server_proposals_applied_total", "Revisions.", now.store().revision());
    out.gauge(
        "etcd_server_version",
        "Always 1; the label is the version of etcd whose behaviour the store has.",
        1,
        "server_version",
        version);
    out.gauge(
        "etcd_cluster_version",
        "Always 1; the label is the version of etcd whose behaviour the store has.",
        1,
        "cluster_version",
        version.substring(0, version.lastIndexOf('.')));
  }

  private static void calls(Snapshots out, CallStatistics calls) {
    String[] path = calls.path().split("/");
    String[] labels = {"grpc_method", path[2], "grpc_service", path[1], "grpc_type", type(path[2])};
    out.counter("grpc_server_started_total", "Calls begun.", calls.started(), labels);
    out.counter(
        "grpc_server_msg_received_total", "Messages received.", calls.receivedMessages(), labels);
    out.counter("grpc_server_msg_sent_total", "Messages sent.", calls.sentMessages(), labels);
    out.histogram(
        "grpc_server_handling_seconds",
        "Time from the start of a call to its end.",
        calls.times(),
        labels);
    long[] handled = calls.handled();
    String[] withCode = Arrays.copyOf(labels, labels.length + 2);
    withCode[labels.length] = "grpc_code";
    for (int code = 0; code < handled.length; code++) {
      if (handled[code] > 0) {
        withCode[labels.length + 1] = GrpcStatus.name(code);
        out.counter("grpc_server_handled_total", "Calls ended.", handled[code], withCode);
      }
    }
  }

  private static void slow(Snapshots out, List<SlowRequests.Count> counts) {
    for (SlowRequests.Count count : counts) {
      out.counter(
          "exaplane_store_slow_requests_total",
          "Requests that took longer than --slow-request-threshold, by the phase that took most of the time: queue, apply, journal or send.",
          count.requests(),
          "grpc_method",
          count.method(),
          "kind",
          count.kind(),
          "phase",
          count.phase());
    }
  }

  private static String type(String method) {
    return switch (method) {
      case "Watch", "LeaseKeepAlive" -> "bidi_stream";
      case "RangeStream", "Snapshot" -> "server_stream";
      default -> "unary";
    };
  }

  private static void network(Snapshots out, List<CallStatistics> calls) {
    out.counter(
        "etcd_network_client_grpc_received_bytes_total",
        "Bytes of messages received.",
        sum(calls, CallStatistics::receivedBytes));
    out.counter(
        "etcd_network_client_grpc_sent_bytes_total",
        "Bytes of messages sent.",
        sum(calls, CallStatistics::sentBytes));
  }
}
