// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.address.PoolNodes;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Starts and ends the looks at the nodes of pools. Thread-safe. */
@ApplicationScoped
public class NodeLooks {
  private final PoolNodes nodes;
  private final SimpleInboundEventSource<NodePool> changes =
      new SimpleInboundEventSource<>("node-pool-nodes");

  NodeLooks(PoolNodes nodes) {
    this.nodes = nodes;
  }

  /** What is known of a pool's nodes; nothing while nobody looks, or before all were listed. */
  Optional<NodeCounts> look(PoolObserved observed) {
    if (observed.controlPlane().isEmpty()) {
      return Optional.empty();
    }
    ControlPlane controlPlane = observed.controlPlane().get();
    String uid = controlPlane.getMetadata().getUid();
    if (observed.isPaused()) {
      nodes.forget(uid);
      return Optional.empty();
    }
    if (!observed.isUnavailable()) {
      follow(controlPlane, observed.plan().orElseThrow());
    }
    return nodes.counts(uid, observed.pool().getMetadata().getName());
  }

  /** A pool's nodes; nothing while nobody looks, or before all were listed. */
  Optional<List<NodeTurn>> turns(PoolObserved observed) {
    return observed
        .controlPlane()
        .flatMap(
            controlPlane ->
                nodes.turns(
                    controlPlane.getMetadata().getUid(), observed.pool().getMetadata().getName()));
  }

  /** A pool is gone: the looks at the nodes of the others go on. */
  void leave(PoolObserved observed) {
    observed
        .controlPlane()
        .ifPresent(
            controlPlane -> {
              ClusterPlan rest = observed.plan().orElseThrow();
              if (rest.pools().isEmpty() || observed.isPaused()) {
                nodes.forget(controlPlane.getMetadata().getUid());
              } else {
                follow(controlPlane, rest);
              }
            });
  }

  private void follow(ControlPlane controlPlane, ClusterPlan plan) {
    String namespace = controlPlane.getMetadata().getNamespace();
    nodes.follow(
        controlPlane.getMetadata().getUid(),
        plan,
        pool -> changes.propagateEvent(new ResourceID(pool, namespace)));
  }

  /** Brings a pool's reconciler back. */
  void bring(NodePool pool) {
    changes.propagateEvent(ResourceID.fromResource(pool));
  }

  /** What changed of nodes brings the reconciler back. */
  EventSource<?, NodePool> changes() {
    return changes;
  }
}
