// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import java.util.List;

/** The stores of one control plane, by pod and by Kind. */
final class StoreDashboard {
  private static final String SELECT = "{" + Ask.STORE + "}";

  private StoreDashboard() {}

  static Dashboard of() {
    return new Dashboard(
        "store",
        "Exaplane / Stores",
        "Space, requests, Kinds, disk and watches of the stores of one control plane.",
        Ask.controlPlane(),
        List.of(
            new Dashboard.Row("State", state()),
            new Dashboard.Row("By Kind", kinds()),
            new Dashboard.Row("Requests", requests()),
            new Dashboard.Row("Space and memory", space()),
            new Dashboard.Row("Disk", disk()),
            new Dashboard.Row("Watches and leases", watches()),
            new Dashboard.Row("Connections and CPU", process())));
  }

  private static String max(String by, String gauge) {
    return "max by (" + by + ") (" + gauge + SELECT + ")";
  }

  private static List<Panel> state() {
    return List.of(
        number("Stores that answer", Unit.COUNT, "Stores that Prometheus reads.")
            .ask("sum(up" + SELECT + ")", "stores"),
        number(
                "Fullest store",
                Unit.SHARE,
                "Share of the space in use. At 100 %, writes that add data are refused; see"
                    + " docs/full-store.md.")
            .ask(
                "max(exaplane_store_record_bytes%1$s / etcd_server_quota_backend_bytes%1$s)"
                    .formatted(SELECT),
                "space")
            .warnAt(0.8)
            .badAt(0.95),
        number("Refuses writes", Unit.YES_OR_NO, "Whether a store is full, by space or by keys.")
            .ask("max(exaplane_store_space_exceeded" + SELECT + ")", "full")
            .badAt(1),
        number("Journal stalled", Unit.YES_OR_NO, "Whether a store cannot write its journal.")
            .ask("max(exaplane_store_journal_stalled" + SELECT + ")", "stalled")
            .badAt(1),
        number("Keys", Unit.COUNT, "Existing keys in all stores.")
            .ask("sum(exaplane_store_kind_keys" + SELECT + ")", "keys"),
        number("Writes", Unit.WRITES_PER_SECOND, "New revisions of all stores.")
            .ask(
                "sum(rate(etcd_server_proposals_committed_total" + SELECT + "[$__rate_interval]))",
                "writes"));
  }

  private static List<Panel> kinds() {
    return List.of(
        graph("Writes by Kind", Unit.WRITES_PER_SECOND, "The ten Kinds with most writes.")
            .ask(
                Ask.most(Ask.rate("kind", "exaplane_store_kind_puts_total", Ask.STORE)),
                "{{kind}}"),
        graph("Deletions by Kind", Unit.WRITES_PER_SECOND, "The ten Kinds with most deletions.")
            .ask(
                Ask.most(Ask.rate("kind", "exaplane_store_kind_deletes_total", Ask.STORE)),
                "{{kind}}"),
        graph("Keys by Kind", Unit.COUNT, "The ten Kinds with most keys.")
            .ask(Ask.most("sum by (kind) (exaplane_store_kind_keys" + SELECT + ")"), "{{kind}}"),
        graph(
                "Bytes by Kind",
                Unit.BYTES,
                "All versions. Much more than the live bytes is history that compaction frees.")
            .ask(Ask.most("sum by (kind) (exaplane_store_kind_bytes" + SELECT + ")"), "{{kind}}"),
        graph("Live bytes by Kind", Unit.BYTES, "The newest versions of existing keys.")
            .ask(
                Ask.most("sum by (kind) (exaplane_store_kind_live_bytes" + SELECT + ")"),
                "{{kind}}"),
        graph(
                "Watches by Kind",
                Unit.COUNT,
                "Watches of kube-apiservers: one for each Kind and server.")
            .ask(
                Ask.most("sum by (kind) (exaplane_store_kind_watches" + SELECT + ")"), "{{kind}}"));
  }

  private static List<Panel> requests() {
    return List.of(
        graph("Calls by method", Unit.REQUESTS_PER_SECOND, "Calls begun, by method of etcd's API.")
            .ask(
                Ask.rate("grpc_method", "grpc_server_started_total", Ask.STORE), "{{grpc_method}}"),
        graph(
                "Latency by method (p99)",
                Unit.SECONDS,
                "Of calls with one answer. A range above 0.5 s is a LIST; see './exa lists'.")
            .ask(
                Ask.quantile(
                    0.99,
                    "grpc_method",
                    "grpc_server_handling_seconds",
                    Ask.STORE + ",grpc_type=\"unary\""),
                "{{grpc_method}}")
            .warnAt(0.5),
        graph(
                "Failed calls",
                Unit.REQUESTS_PER_SECOND,
                "By code. ResourceExhausted is a full store, Unavailable a stalled journal.")
            .ask(
                Ask.rate(
                    "grpc_method, grpc_code",
                    "grpc_server_handled_total",
                    Ask.STORE + ",grpc_code!~\"OK|Canceled\""),
                "{{grpc_method}}, {{grpc_code}}")
            .quiet("No call failed."),
        graph(
                "Slow requests by Kind",
                Unit.REQUESTS_PER_SECOND,
                "Longer than --slow-request-threshold, by the phase that took most of the time. In"
                    + " the phase send, the client is slow.")
            .ask(
                Ask.most(Ask.rate("kind, phase", "exaplane_store_slow_requests_total", Ask.STORE)),
                "{{kind}}, {{phase}}")
            .quiet("No request was slow."),
        graph("Bytes sent and received", Unit.BYTES_PER_SECOND, "Messages, without TLS and frames.")
            .ask(
                Ask.rate("pod", "etcd_network_client_grpc_sent_bytes_total", Ask.STORE),
                "{{pod}}, sent")
            .ask(
                Ask.rate("pod", "etcd_network_client_grpc_received_bytes_total", Ask.STORE),
                "{{pod}}, received"),
        graph(
                "Writes that wait",
                Unit.COUNT,
                "For the writing thread. Above 6,000, give the busiest Kind its own store.")
            .ask(max("pod", "etcd_server_proposals_pending"), "{{pod}}")
            .warnAt(6_000));
  }

  private static List<Panel> space() {
    return List.of(
        graph("Space", Unit.BYTES, "All versions and the newest ones, with the quota.")
            .ask(max("pod", "exaplane_store_record_bytes"), "{{pod}}, all versions")
            .ask(max("pod", "exaplane_store_live_bytes"), "{{pod}}, live")
            .ask(max("pod", "etcd_server_quota_backend_bytes"), "{{pod}}, quota"),
        graph(
                "Index",
                Unit.SHARE,
                "Share of the heap for keys. Many small objects need memory, not a larger quota.")
            .ask(
                ("max by (pod) (exaplane_store_index_bytes%1$s"
                        + " / exaplane_store_index_limit_bytes%1$s)")
                    .formatted(SELECT),
                "{{pod}}")
            .warnAt(0.8),
        graph(
                "Compactions for space",
                Unit.COUNT,
                "Compactions by the store itself since its start: watches behind them list again.")
            .ask(max("pod", "exaplane_store_self_compactions_total"), "{{pod}}"),
        graph(
                "Space by prefix with a quota",
                Unit.SHARE,
                "Share of the quota of each prefix. At 100 %, writes below it are refused.")
            .ask(
                ("max by (pod, prefix) (exaplane_store_prefix_bytes%1$s"
                        + " / exaplane_store_prefix_quota_bytes%1$s)")
                    .formatted(SELECT),
                "{{pod}}, {{prefix}}")
            .warnAt(0.95)
            .quiet("No prefix has a quota."));
  }

  private static List<Panel> disk() {
    return List.of(
        graph(
                "Time to make writes durable (p99)",
                Unit.SECONDS,
                "A batch of writes waits for the disk once. Above 0.5 s, check the volume.")
            .ask(
                Ask.quantile(0.99, "pod", "etcd_disk_wal_fsync_duration_seconds", Ask.STORE),
                "{{pod}}")
            .warnAt(0.5)
            .quiet("No store wrote to a disk."),
        graph("Wait of the current write", Unit.SECONDS, "From 5 s on, the store is not ready.")
            .ask(max("pod", "exaplane_store_disk_wait_seconds"), "{{pod}}")
            .badAt(5),
        graph("Journal", Unit.BYTES, "Bytes of the log behind the snapshot, which a start reads.")
            .ask(max("pod", "exaplane_store_journal_bytes"), "{{pod}}"));
  }

  private static List<Panel> watches() {
    return List.of(
        graph(
                "Events sent",
                Unit.EVENTS_PER_SECOND,
                "Changes, times the watches of kube-apiservers.")
            .ask(Ask.rate("pod", "etcd_debugging_mvcc_events_total", Ask.STORE), "{{pod}}"),
        graph(
                "Slowest watch",
                Unit.COUNT,
                "Events that it has not received, and those that the history has. Behind its start,"
                    + " a watch is cancelled.")
            .ask(max("pod", "exaplane_store_watch_lag_events"), "{{pod}}, behind")
            .ask(max("pod", "exaplane_store_history_events"), "{{pod}}, history"),
        graph("Leases", Unit.COUNT, "Leases of etcd's API, on which Events hang.")
            .ask(max("pod", "exaplane_store_leases"), "{{pod}}"),
        graph(
                "Leases that ended",
                Unit.REQUESTS_PER_SECOND,
                "Above 1,000 a second, somebody writes very many Events.")
            .ask(Ask.rate("pod", "etcd_debugging_lease_revoked_total", Ask.STORE), "{{pod}}"));
  }

  private static List<Panel> process() {
    return List.of(
        graph("Connections", Unit.COUNT, "By door; the limit is exaplane_store_connections_limit.")
            .ask(max("pod, door", "exaplane_store_connections"), "{{pod}}, {{door}}"),
        graph(
                "Refused connections",
                Unit.REQUESTS_PER_SECOND,
                "A kube-apiserver that starts now fails if any is refused.")
            .ask(
                Ask.rate("pod, door", "exaplane_store_connections_refused_total", Ask.STORE),
                "{{pod}}, {{door}}"),
        graph("CPU of stores", Unit.CORES, "Cores in use. One core writes, the others send.")
            .ask(Ask.rate("pod", "process_cpu_seconds_total", Ask.STORE), "{{pod}}"),
        graph("Memory of stores", Unit.BYTES, "Resident memory.")
            .ask(max("pod", "process_resident_memory_bytes"), "{{pod}}"));
  }
}
