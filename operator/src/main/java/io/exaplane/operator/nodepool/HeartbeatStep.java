// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.condition.Beating;
import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.hosted.Released;
import io.exaplane.operator.nodepool.hosted.TrustOrder;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The step of a pass that carries changed heartbeats and CAs to nodes, a share a minute.
 * Thread-safe.
 */
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
    Wave.Order<Heartbeats> order =
        order(target.carried(), observed, nodes, nodes.heartbeats().reported() - updated);
    Optional<TrustOrder> trust = trust(observed, nodes);
    int longest =
        target.longestLease(
            Optional.ofNullable(pool.getStatus())
                .map(NodePoolStatus::heartbeats)
                .map(NodePoolStatus.Heartbeats::longestLeaseSeconds)
                .orElse(0),
            nodes.heartbeats().longestLease(),
            nodes.heartbeats().reported() == nodes.registered());
    Optional<Released> released = release(observed, order, trust, outcomes);
    return Optional.of(
        new Beating(
            target,
            order,
            released.map(Released::heartbeats),
            updated,
            unreported,
            longest,
            trust.map(each -> trusting(each, nodes, released.flatMap(Released::authorities)))));
  }

  private static <T> Wave.Order<T> order(
      T target, PoolObserved observed, NodeCounts nodes, int others) {
    return new Wave.Order<>(
        target,
        NodeKubeletSpec.of(observed.pool().getSpec().kubelet()).changePercent(),
        nodes.registered(),
        others,
        nodes.failed(),
        observed.isFrozen());
  }

  /** One CA less, or the same, restarts no kubelet, and comes to all at once. */
  private static Optional<TrustOrder> trust(PoolObserved observed, NodeCounts nodes) {
    return observed
        .authorities()
        .map(
            each ->
                new TrustOrder(
                    each,
                    order(
                        each.text(),
                        observed,
                        nodes,
                        each.addsOne()
                            ? nodes.registered() - nodes.followers().of(each.id())
                            : 0)));
  }

  private static Beating.Trusting trusting(
      TrustOrder trust, NodeCounts nodes, Optional<Wave<String>> wave) {
    String id = trust.authorities().id();
    int following = nodes.followers().of(id);
    return new Beating.Trusting(
        id,
        trust.order(),
        following,
        nodes.registered() - following,
        nodes.followers().late(id),
        wave);
  }

  private Optional<Released> release(
      PoolObserved observed,
      Wave.Order<Heartbeats> order,
      Optional<TrustOrder> trust,
      Outcomes outcomes) {
    try {
      return calls.release(observed.pool(), observed.controlPlane().orElseThrow(), order, trust);
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
    return beating.stream()
        .filter(found -> !found.order().frozen())
        .flatMap(
            found ->
                Stream.concat(
                    nextStep(found.wave()),
                    nextStep(found.trusting().flatMap(Beating.Trusting::wave))))
        .map(step -> NextPass.after(clock.instant(), step))
        // One that is held waits for the nodes, whose events bring the pass.
        .filter(left -> !left.isNegative() && !left.isZero())
        .min(Comparator.naturalOrder());
  }

  private static <T> Stream<Instant> nextStep(Optional<Wave<T>> wave) {
    return wave.filter(each -> !each.isComplete()).map(Wave::nextStep).stream();
  }
}
