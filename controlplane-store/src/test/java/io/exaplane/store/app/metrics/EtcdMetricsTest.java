// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.StoreStatistics;
import io.exaplane.store.stats.Histogram;
import io.exaplane.store.wire.CallStatistics;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each metric of etcd 3.6 and 3.7 is served, or a line says why not (7., line 23). */
class EtcdMetricsTest {
  private static final Path ETCD = Path.of("src/test/resources/etcd-metrics.txt");
  private static final Path TABLE = Path.of("METRICS.md");

  private static Set<String> served() {
    HealthCounts health = new HealthCounts();
    health.check("readyz", "non_learner", true);
    long[] handled = new long[17];
    handled[0] = 1;
    CallStatistics call =
        new CallStatistics("/etcdserverpb.KV/Range", 1, handled, Histogram.Times.NONE, 1, 1, 1, 1);
    var source =
        new StoreCollector.Source(
            StoreStatistics.UNKNOWN, List.of(call), List.of(), false, 0, 0x1234);
    return new StoreCollector(() -> source, new ServerStatistics(health, List.of(), null), "3.7.3")
        .collect().stream()
            .map(EtcdMetricsTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(MetricSnapshot metric) {
    String name = metric.getMetadata().getPrometheusName();
    return metric instanceof CounterSnapshot ? name + "_total" : name;
  }

  @Test
  void eachIsServedOrALineSaysWhyNot() throws Exception {
    Set<String> table =
        Pattern.compile("^\\| `(\\w+)` \\| .{8,} \\|$", Pattern.MULTILINE)
            .matcher(Files.readString(TABLE))
            .results()
            .map((MatchResult row) -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> etcd = new TreeSet<>(Files.readAllLines(ETCD));
    Set<String> missing = new TreeSet<>(etcd);
    missing.removeAll(served());
    assertThat(table).as("the lines of METRICS.md").isEqualTo(missing);
    assertThat(etcd).as("etcd's own").hasSizeGreaterThan(100);
  }

  @Test
  void alertsFindWhatTheyAskFor() {
    assertThat(served())
        .contains(
            "etcd_server_health_failures",
            "etcd_server_health_success",
            "etcd_server_healthchecks_total",
            "etcd_server_slow_apply_total",
            "etcd_mvcc_range_total",
            "etcd_mvcc_txn_total",
            "etcd_server_has_leader",
            "etcd_server_leader_changes_seen_total",
            "etcd_server_proposals_failed_total",
            "etcd_server_heartbeat_send_failures_total",
            "etcd_disk_wal_fsync_duration_seconds",
            "grpc_server_handled_total",
            "os_fd_used",
            "os_fd_limit");
  }
}
