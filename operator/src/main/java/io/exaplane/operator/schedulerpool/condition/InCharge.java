// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import java.util.Optional;

/**
 * Who schedules the pods of a pool's cluster, as far as its API tells. Immutable.
 *
 * @param view what was seen inside the cluster; nothing when the operator has just begun
 * @param holder the pod that has the Lease, of whoever's it is
 * @param leader the root that has it
 * @param standIn whether the pool's kube-scheduler has it
 */
public record InCharge(
    Optional<PoolView> view, Optional<String> holder, Optional<String> leader, boolean standIn) {

  /** By what was observed. */
  public static InCharge of(PoolObserved observed) {
    PoolNames names = new PoolNames(observed.pool());
    Optional<String> holder =
        observed.view().filter(seen -> seen.answers() && seen.held()).map(PoolView::holder);
    return new InCharge(
        observed.view(),
        holder,
        holder.filter(names::isRoot),
        holder.filter(pod -> pod.startsWith(names.fallback() + "-")).isPresent());
  }

  /** Whether the cluster's API told. */
  boolean isKnown() {
    return view.filter(PoolView::answers).isPresent();
  }
}
