// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * What alerts need of all control planes together: how many have a condition at a status, and when
 * the next certificate expires. No metric carries a control plane's name, so that their number does
 * not grow with the fleet. Thread-safe.
 */
@ApplicationScoped
public class ControlPlaneMetrics {
  private final ConcurrentMap<String, ControlPlaneStatus> statuses = new ConcurrentHashMap<>();
  private final Clock clock;

  ControlPlaneMetrics(MeterRegistry registry, Clock clock) {
    this.clock = clock;
    for (ConditionType type : ConditionType.values()) {
      for (String status : List.of(Condition.TRUE, Condition.FALSE)) {
        Gauge.builder("exaplane.controlplane.conditions", () -> count(type, status))
            .description("Control planes whose condition has this status.")
            .tag("type", type.name())
            .tag("status", status)
            .strongReference(true)
            .register(registry);
      }
    }
    TimeGauge.builder("exaplane.certificate.expiry", this::secondsToExpiry, TimeUnit.SECONDS)
        .description("Time until the first leaf certificate of any control plane expires.")
        .strongReference(true)
        .register(registry);
  }

  /** Takes note of a control plane's status. */
  public void observe(String uid, ControlPlaneStatus status) {
    statuses.put(uid, status);
  }

  /** Forgets a control plane that is being removed. */
  public void forget(String uid) {
    statuses.remove(uid);
  }

  private long count(ConditionType type, String status) {
    return statuses.values().stream()
        .flatMap(s -> s.conditions().stream())
        .filter(c -> c.type().equals(type.name()) && c.status().equals(status))
        .count();
  }

  /** Not a number when there is no certificate. */
  private double secondsToExpiry() {
    Instant now = clock.instant();
    return statuses.values().stream()
        .map(ControlPlaneStatus::certificates)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .filter(certificate -> certificate.renewAfter() != null)
        .map(Certificate::notAfter)
        .mapToDouble(expiry -> Duration.between(now, Instant.parse(expiry)).toSeconds())
        .min()
        .orElse(Double.NaN);
  }
}
