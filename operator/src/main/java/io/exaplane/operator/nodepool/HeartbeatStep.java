// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.condition.Beating;
import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The step of a pass that carries changed heartbeats to nodes, a share a minute. Thread-safe. */
final class HeartbeatStep {
  private final NodeCalls calls;
  private final Clock clock;

  HeartbeatStep(NodeCalls calls, Clock clock) {
    this.calls = calls;
    this.clock = clock;
  }

  /**
   * Takes a step if one is due.
   *
   * @return what is known of the pool's heartbeats; empty if its nodes are not known
   */
  Optional<Beating> carryOut(
      PoolObserved observed, Optional<NodeCounts> counts, Outcomes outcomes) {
    if (!observed.mayChangeNodes() || observed.heartbeats().isEmpty() || counts.isEmpty()) {
      return Optional.empty();
    }
    NodePool pool = observed.pool();
    HeartbeatTarget target = observed.heartbeats().get();
    NodeCounts nodes = counts.get();
    String text = target.carried().text();
    int updated = nodes.heartbeats().nodes().getOrDefault(text, 0);
    int unreported = nodes.heartbeats().unreported();
    Wave.Order order =
        new Wave.Order(
            target.carried(),
            NodeKubeletSpec.of(pool.getSpec().kubelet()).changePercent(),
            nodes.registered(),
            nodes.heartbeats().reported() - updated,
            nodes.failed(),
            observed.isFrozen());
    int longest =
        target.longestLease(
            Optional.ofNullable(pool.getStatus())
                .map(NodePoolStatus::heartbeats)
                .map(NodePoolStatus.Heartbeats::longestLeaseSeconds)
                .orElse(0),
            nodes.heartbeats().longestLease(),
            nodes.heartbeats().reported() == nodes.registered());
    return Optional.of(
        new Beating(
            target, order, release(observed, order, outcomes), updated, unreported, longest));
  }

  private Optional<Wave> release(PoolObserved observed, Wave.Order order, Outcomes outcomes) {
    try {
      return calls.release(observed.pool(), observed.controlPlane().orElseThrow(), order);
    } catch (KubernetesClientException e) {
      // One that does not answer is waited for; what one refuses a person has to see.
      if (!Refusals.of(e).passes()) {
        outcomes.refused(e);
      }
      return Optional.empty();
    }
  }

  /** When the next step is due. */
  Optional<Duration> next(Optional<Beating> beating) {
    return beating
        .filter(found -> !found.order().frozen())
        .flatMap(Beating::wave)
        .filter(wave -> !wave.isComplete())
        .map(wave -> NextPass.after(clock.instant(), wave.nextStep()))
        // One that is held waits for the nodes, whose events bring the pass.
        .filter(left -> !left.isNegative() && !left.isZero());
  }
}
