// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import io.exaplane.store.stats.Histogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects values into Prometheus' snapshots. For one scrape. */
final class Snapshots {
  private static final double NANOS = 1e9;
  private static final String TOTAL = "_total";

  private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
  private final Map<String, UnknownSnapshot.Builder> growing = new LinkedHashMap<>();
  private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
  private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

  /** A value that goes up and down; labels are names and values in turn. */
  void gauge(String name, String help, double value, String... labels) {
    gauges
        .computeIfAbsent(name, _ -> GaugeSnapshot.builder().name(name).help(help))
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  /**
   * A value that only grows, or one whose name in etcd ends as theirs do although it is a gauge.
   *
   * @param name with its end {@code _total}
   */
  void counter(String name, String help, double value, String... labels) {
    String stem = name.substring(0, name.length() - TOTAL.length());
    counters
        .computeIfAbsent(name, _ -> CounterSnapshot.builder().name(stem).help(help))
        .dataPoint(
            CounterDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  /** A value that only grows, under a name of etcd that does not end in {@code _total}. */
  void growing(String name, String help, double value, String... labels) {
    growing
        .computeIfAbsent(name, _ -> UnknownSnapshot.builder().name(name).help(help))
        .dataPoint(
            UnknownDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  /** Times, in seconds. */
  void histogram(String name, String help, Histogram.Times times, String... labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long[] counts = times.counts();
    for (int i = 0; i < Histogram.BOUNDS; i++) {
      buckets.bucket((Histogram.FIRST_NANOS << i) / NANOS, counts[i]);
    }
    buckets.bucket(Double.POSITIVE_INFINITY, counts[Histogram.BOUNDS]);
    histograms
        .computeIfAbsent(name, _ -> HistogramSnapshot.builder().name(name).help(help))
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(times.sumNanos() / NANOS)
                .labels(Labels.of(labels))
                .build());
  }

  MetricSnapshots all() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    gauges.values().forEach(each -> all.metricSnapshot(each.build()));
    growing.values().forEach(each -> all.metricSnapshot(each.build()));
    counters.values().forEach(each -> all.metricSnapshot(each.build()));
    histograms.values().forEach(each -> all.metricSnapshot(each.build()));
    return all.build();
  }
}
