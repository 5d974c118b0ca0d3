// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import io.exaplane.store.api.StoreServices;
import io.exaplane.store.api.StoreStatistics;
import io.exaplane.store.wire.GrpcServices;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Everything that Prometheus scrapes. Made at the first scrape; thread-safe. */
public final class MetricsPage {
  private static final long PATIENCE_MS = 1_000;

  private final StoreServices services;
  private final GrpcServices<?> calls;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private StoreStatistics last = StoreStatistics.UNKNOWN;

  /**
   * @param version the etcd whose behaviour this is
   */
  public MetricsPage(
      StoreServices services, GrpcServices<?> calls, ServerStatistics server, String version) {
    this.services = services;
    this.calls = calls;
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new JvmGcMetrics().bindTo(registry); // until the process ends
    registry.getPrometheusRegistry().register(new StoreCollector(this::now, server, version));
  }

  /** The page, in Prometheus' text format. May wait a second; not for an event loop. */
  public synchronized String text() {
    return registry.scrape();
  }

  private StoreCollector.Source now() {
    try {
      last = services.statistics().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // The writer waits for its disk, or too many ask: what was last known is shown.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new StoreCollector.Source(
        last,
        calls.statistics(),
        services.slowRequests(),
        services.isStalled(),
        services.diskWaitNanos(),
        services.memberId());
  }
}
