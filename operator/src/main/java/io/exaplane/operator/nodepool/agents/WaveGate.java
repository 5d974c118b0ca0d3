// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.api.v1alpha1.NodeAgentsGateSpec;
import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.nodepool.address.NodeSight;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Whether a hosted cluster is calm enough for agents to restart. Pure. */
final class WaveGate {
  /** Four looks. */
  static final Duration FRESH = Duration.ofSeconds(20);

  /** A node that has not been Ready for longer is dead, and says nothing of now. */
  private static final Duration RECENT = Duration.ofMinutes(10);

  private WaveGate() {}

  /** What a gate is. */
  enum State {
    OPEN,
    /** A limit is exceeded. */
    CLOSED,
    /** Closed, since nobody knows. */
    UNREAD
  }

  /**
   * The answer.
   *
   * @param text the numbers, or why there are none; "" if the gate is open
   * @param at of the look; {@link Instant#MIN} without one
   */
  record Verdict(State state, String text, Instant at) {
    boolean isOpen() {
      return state == State.OPEN;
    }
  }

  /**
   * Judges the last look.
   *
   * @param limits with every field filled in
   * @param nodes of the whole cluster: they stand in for Leases that nobody counts
   * @param closedBy what closes the gate whatever the figures are; "" if nothing does
   */
  static Verdict judge(
      NodeAgentsGateSpec limits,
      Optional<GateReading> reading,
      Collection<NodeSight> nodes,
      String closedBy,
      Instant now) {
    Instant at = reading.map(GateReading::at).orElse(Instant.MIN);
    if (!closedBy.isEmpty()) {
      return new Verdict(State.CLOSED, closedBy, at);
    }
    if (reading.isEmpty()) {
      return new Verdict(State.UNREAD, "the operator has not checked the kube-apiservers yet", at);
    }
    GateReading look = reading.get();
    if (!look.problem().isEmpty()) {
      return new Verdict(State.UNREAD, look.problem(), at);
    }
    if (!now.isBefore(at.plus(FRESH))) {
      return new Verdict(
          State.UNREAD, "the operator last checked the kube-apiservers at " + at, at);
    }
    List<String> closed = new ArrayList<>();
    if (look.requestP99Millis() > limits.maxRequestP99Millis()) {
      closed.add(
          "the 99th percentile of requests is %d ms (gate.maxRequestP99Millis %d)"
              .formatted(look.requestP99Millis(), limits.maxRequestP99Millis()));
    }
    if (look.throttledPerSecond() > limits.maxThrottledPerSecond()) {
      closed.add(
          "%d answers a second have status 429 (gate.maxThrottledPerSecond %d)"
              .formatted(look.throttledPerSecond(), limits.maxThrottledPerSecond()));
    }
    int onTime = look.leasesOnTimePercent().orElseGet(() -> ready(nodes, now));
    if (onTime < limits.minLeasesOnTimePercent()) {
      closed.add(
          "%d %% of the %s (gate.minLeasesOnTimePercent %d)"
              .formatted(
                  onTime,
                  look.leasesOnTimePercent().isPresent()
                      ? "Leases are renewed in time"
                      : "nodes of the last 10 minutes are Ready",
                  limits.minLeasesOnTimePercent()));
    }
    return closed.isEmpty()
        ? new Verdict(State.OPEN, "", at)
        : new Verdict(State.CLOSED, String.join(", and ", closed), at);
  }

  private static int ready(Collection<NodeSight> nodes, Instant now) {
    long ready = nodes.stream().filter(NodeSight::ready).count();
    long lost =
        nodes.stream()
            .filter(node -> !node.ready() && now.isBefore(node.since().plus(RECENT)))
            .count();
    return ready + lost == 0 ? 100 : (int) (100 * ready / (ready + lost));
  }
}
