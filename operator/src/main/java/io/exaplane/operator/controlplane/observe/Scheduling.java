// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.api.v1alpha1.SchedulingSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Who places a control plane's pods. kube-scheduler goes when a pool is ready to take over, and
 * then stays away whatever becomes of the pool, which has a stand-in of its own. Immutable.
 *
 * @param poolName the pool that the spec names; empty if kube-scheduler is to do it
 * @param pool the pool, if it is there and fits
 * @param handedOver whether kube-scheduler is to be gone
 */
public record Scheduling(
    Optional<String> poolName, Optional<SchedulerPool> pool, boolean handedOver) {
  private static final Set<String> HANDED_OVER =
      Set.of(Reason.PoolInCharge.name(), Reason.PoolUnavailable.name());

  /**
   * By what the spec says, what there is, and what status said before. Pure.
   *
   * @param hold whether nothing may be changed just now
   */
  static Scheduling of(ControlPlane controlPlane, List<SchedulerPool> pools, boolean hold) {
    Optional<String> name =
        Optional.ofNullable(SchedulingSpec.pool(controlPlane.getSpec().scheduling()));
    Optional<SchedulerPool> pool =
        name.flatMap(
            wanted ->
                pools.stream()
                    .filter(p -> p.getMetadata().getName().equals(wanted))
                    .filter(p -> fits(p, controlPlane))
                    .findFirst());
    boolean handedOver =
        name.isPresent()
            && (wasHandedOver(controlPlane)
                || !hold && pool.filter(Scheduling::isReady).isPresent());
    return new Scheduling(name, pool, handedOver);
  }

  private static boolean fits(SchedulerPool pool, ControlPlane controlPlane) {
    return pool.getSpec().controlPlaneRef() != null
        && Objects.equals(
            pool.getSpec().controlPlaneRef().name(), controlPlane.getMetadata().getName())
        && pool.getSpec().effectiveSchedulerName().equals(SchedulerPoolSpec.DEFAULT_SCHEDULER);
  }

  private static boolean wasHandedOver(ControlPlane controlPlane) {
    return controlPlane.getStatus() != null
        && controlPlane.getStatus().conditions() != null
        && controlPlane.getStatus().conditions().stream()
            .anyMatch(
                c ->
                    c.type().equals(ConditionType.SchedulerAvailable.name())
                        && HANDED_OVER.contains(c.reason()));
  }

  /** One of its roots waits for the Lease, or has it. */
  private static boolean isReady(SchedulerPool pool) {
    return pool.getStatus() != null
        && pool.getStatus().roots() != null
        && pool.getStatus().roots().ready() != null
        && pool.getStatus().roots().ready() > 0;
  }

  /** Why the pool that the spec names has not taken over yet; empty if it has, or none is named. */
  public Optional<String> awaited() {
    return handedOver
        ? Optional.empty()
        : poolName.map(
            name ->
                pool.isPresent()
                    ? "SchedulerPool %s takes over when one of its roots is ready; see 'kubectl describe spool %s'."
                        .formatted(name, name)
                    : "SchedulerPool %s does not exist, or is not for this ControlPlane and default-scheduler. Create the pool, or set spec.scheduling.mode to Default."
                        .formatted(name));
  }

  /** What the pool says of being in charge. */
  public Optional<Condition> available() {
    return pool.map(SchedulerPool::getStatus).map(s -> s.conditions()).stream()
        .flatMap(List::stream)
        .filter(c -> c.type().equals(PoolCondition.Available.name()))
        .findFirst();
  }
}
