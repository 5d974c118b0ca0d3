// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How often probes asked, and what they were told. Thread-safe. */
public final class HealthCounts {
  /** One of the checks behind a page, as readyz and linearizable_read. */
  private record Check(String type, String name) {}

  private static final class Outcomes {
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean last;
  }

  private final AtomicLong healthy = new AtomicLong();
  private final AtomicLong unhealthy = new AtomicLong();
  private final Map<Check, Outcomes> checks = new ConcurrentHashMap<>();

  /** Notes an answer of {@code /health}. */
  public void health(boolean isHealthy) {
    (isHealthy ? healthy : unhealthy).incrementAndGet();
  }

  /** Notes the outcome of a check. */
  public void check(String type, String name, boolean passes) {
    Outcomes outcomes = checks.computeIfAbsent(new Check(type, name), _ -> new Outcomes());
    (passes ? outcomes.passed : outcomes.failed).incrementAndGet();
    outcomes.last = passes;
  }

  void add(Snapshots out) {
    out.growing("etcd_server_health_success", "Probes that were answered: healthy.", healthy.get());
    out.growing(
        "etcd_server_health_failures", "Probes that were answered: not healthy.", unhealthy.get());
    checks.forEach(
        (check, outcomes) -> {
          String[] labels = {"name", check.name(), "type", check.type()};
          out.gauge(
              "etcd_server_healthcheck",
              "1 if the check passed at its last run, else 0.",
              outcomes.last ? 1 : 0,
              labels);
          count(out, check, "success", outcomes.passed.get());
          count(out, check, "error", outcomes.failed.get());
        });
  }

  private static void count(Snapshots out, Check check, String status, long times) {
    if (times > 0) {
      out.counter(
          "etcd_server_healthchecks_total",
          "Checks by outcome.",
          times,
          "name",
          check.name(),
          "status",
          status,
          "type",
          check.type());
    }
  }
}
