// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.guard.GateReading;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last look at each hosted cluster that somebody wants to know about, by the UID of its
 * ControlPlane. Who looks knows the servers; who asks knows the limits. Nobody looks at a cluster
 * that nobody asked for within {@link #INTEREST}. Thread-safe.
 */
@ApplicationScoped
public class GateReadings {
  /** A page of metrics costs each server some work. */
  static final Duration INTEREST = Duration.ofSeconds(30);

  private final Map<String, Instant> asked = new ConcurrentHashMap<>();
  private final Map<String, GateReading> readings = new ConcurrentHashMap<>();
  private final Clock clock;

  public GateReadings(Clock clock) {
    this.clock = clock;
  }

  /** The last look, however old; empty before the first. Keeps the looks going. */
  public Optional<GateReading> ask(String controlPlane) {
    asked.put(controlPlane, clock.instant());
    return Optional.ofNullable(readings.get(controlPlane));
  }

  /** Whether somebody asked a short time ago. */
  public boolean isAsked(String controlPlane) {
    Instant last = asked.get(controlPlane);
    return last != null && clock.instant().isBefore(last.plus(INTEREST));
  }

  /** A new look. */
  public void put(String controlPlane, GateReading reading) {
    readings.put(controlPlane, reading);
  }

  /** Of a ControlPlane that is gone. */
  public void forget(String controlPlane) {
    asked.remove(controlPlane);
    readings.remove(controlPlane);
  }
}
