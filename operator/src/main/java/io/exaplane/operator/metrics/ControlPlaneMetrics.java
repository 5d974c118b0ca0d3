// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.Reason;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What alerts need of all control planes together: how many have a condition at a status, or one of
 * a few reasons, and how much is left of certificates and CAs. No metric carries a control plane's
 * name, so that their number does not grow with the fleet. Thread-safe.
 */
@ApplicationScoped
@Startup
public class ControlPlaneMetrics {
  /** Those that alerts tell from others of the same condition. */
  private static final List<Reason> REASONS =
      List.of(Reason.ProgressDeadlineExceeded, Reason.FreezeRefused, Reason.LeasesNotCounted);

  /** A certificate is renewed when one of so many parts of its validity is left. */
  private static final double RENEWED_AT = 3;

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
    for (Reason reason : REASONS) {
      Gauge.builder("exaplane.controlplane.reasons", () -> count(reason))
          .description("Control planes that have a condition with this reason.")
          .tag("reason", reason.name())
          .strongReference(true)
          .register(registry);
    }
    Gauge.builder("exaplane.certificate.life.left", this::lifeLeft)
        .description(
            "Smallest share of its validity that a leaf certificate of any control plane has left; "
                + "the operator renews it at a third.")
        .strongReference(true)
        .register(registry);
    TimeGauge.builder("exaplane.ca.expiry", this::secondsToEnd, TimeUnit.SECONDS)
        .description("Time until the first CA of any control plane expires.")
        .strongReference(true)
        .register(registry);
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

  private long count(Reason reason) {
    return statuses.values().stream()
        .filter(s -> s.conditions().stream().anyMatch(c -> reason.name().equals(c.reason())))
        .count();
  }

  /** Not a number when there is no certificate. */
  private double secondsToExpiry() {
    return earliest(leaves());
  }

  /** Not a number when there is no CA. */
  private double secondsToEnd() {
    return earliest(certificates().filter(certificate -> certificate.renewAfter() == null));
  }

  private double earliest(Stream<Certificate> of) {
    Instant now = clock.instant();
    return of.map(Certificate::notAfter)
        .filter(Objects::nonNull)
        .mapToDouble(expiry -> Duration.between(now, Instant.parse(expiry)).toSeconds())
        .min()
        .orElse(Double.NaN);
  }

  /** Not a number when there is no certificate. */
  private double lifeLeft() {
    Instant now = clock.instant();
    return leaves()
        .mapToDouble(
            leaf -> {
              Instant end = Instant.parse(leaf.notAfter());
              Duration third = Duration.between(Instant.parse(leaf.renewAfter()), end);
              return Duration.between(now, end).toMillis()
                  / (RENEWED_AT * Math.max(1, third.toMillis()));
            })
        .min()
        .orElse(Double.NaN);
  }

  private Stream<Certificate> leaves() {
    return certificates().filter(certificate -> certificate.renewAfter() != null);
  }

  private Stream<Certificate> certificates() {
    return statuses.values().stream()
        .map(ControlPlaneStatus::certificates)
        .filter(Objects::nonNull)
        .flatMap(List::stream);
  }
}
