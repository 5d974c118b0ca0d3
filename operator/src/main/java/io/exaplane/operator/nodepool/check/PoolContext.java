// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.management.Taken;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the rules about a pool look at. Immutable.
 *
 * @param pools all pools of the ControlPlane that are not being deleted, the pool itself among them
 * @param taken addresses of the management cluster; none if no pool has addresses
 * @param maxPods the most pods of a node
 * @param graceSeconds after which kube-controller-manager declares a node dead; empty if nobody
 *     asked
 */
public record PoolContext(
    NodePool pool,
    ControlPlane controlPlane,
    List<NodePool> pools,
    List<Taken> taken,
    int maxPods,
    OptionalLong graceSeconds) {
  private static final Comparator<NodePool> BY_AGE =
      Comparator.comparing((NodePool pool) -> pool.getMetadata().getCreationTimestamp())
          .thenComparing(pool -> pool.getMetadata().getName());

  public PoolContext {
    pools = List.copyOf(pools);
    taken = List.copyOf(taken);
  }

  /** The pools that were there before: of two that exclude each other, the younger is refused. */
  List<NodePool> elders() {
    return pools.stream().filter(other -> BY_AGE.compare(other, pool) < 0).sorted(BY_AGE).toList();
  }

  /** The version that the ControlPlane runs, if it runs. */
  public Optional<String> apiVersion() {
    return runningVersion(controlPlane);
  }

  /** The version that a ControlPlane runs, if it runs. */
  public static Optional<String> runningVersion(ControlPlane controlPlane) {
    return controlPlane.getStatus() == null || controlPlane.getStatus().version() == null
        ? Optional.empty()
        : Optional.ofNullable(controlPlane.getStatus().version().current());
  }

  String controlPlaneName() {
    return controlPlane.getMetadata().getName();
  }
}
