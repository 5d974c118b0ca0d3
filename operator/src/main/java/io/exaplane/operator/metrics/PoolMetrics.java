// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What alerts need of all SchedulerPools together, like {@link ControlPlaneMetrics}. Thread-safe.
 */
@ApplicationScoped
@Startup
public class PoolMetrics {
  private final ConcurrentMap<String, SchedulerPoolStatus> statuses = new ConcurrentHashMap<>();

  PoolMetrics(MeterRegistry registry) {
    for (PoolCondition type : PoolCondition.values()) {
      for (String status : List.of(Condition.TRUE, Condition.FALSE)) {
        Gauge.builder("exaplane.schedulerpool.conditions", () -> count(type, status))
            .description("SchedulerPools whose condition has this status.")
            .tag("type", type.name())
            .tag("status", status)
            .strongReference(true)
            .register(registry);
      }
    }
  }

  /** Takes note of a pool's status. */
  public void observe(String uid, SchedulerPoolStatus status) {
    statuses.put(uid, status);
  }

  /** Forgets a pool that is being removed. */
  public void forget(String uid) {
    statuses.remove(uid);
  }

  private long count(PoolCondition type, String status) {
    return statuses.values().stream()
        .flatMap(s -> s.conditions().stream())
        .filter(c -> c.type().equals(type.name()) && c.status().equals(status))
        .count();
  }
}
