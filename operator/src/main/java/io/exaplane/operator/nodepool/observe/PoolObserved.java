// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.agents.AgentPlan;
import io.exaplane.operator.nodepool.check.PoolContext;
import io.exaplane.operator.nodepool.heartbeat.HeartbeatTarget;
import io.exaplane.operator.nodepool.render.ApiEndpoint;
import io.exaplane.operator.nodepool.render.KubeletSettings;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.NodeAuthorities;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What a pass found of a pool. Immutable.
 *
 * @param controlPlane whose cluster its nodes join, if it exists
 * @param problem why the spec is not carried out, if it is not
 * @param pausedUntil until when the ControlPlane is paused, if it is
 * @param kubelet settings of the pool's kubelets
 * @param endpoint where the API is, if that is known
 * @param heartbeats what nodes are to have; nothing without a ControlPlane
 * @param plan what all nodes of the ControlPlane's pools may have; of no pool without a
 *     ControlPlane
 * @param agents what all pools of the ControlPlane ask for about agents
 * @param hasAgents whether one of them asks for something, or did so and the operator has not taken
 *     that back yet
 * @param authorities the CAs that nodes are to trust; empty while they stay as they are
 */
public record PoolObserved(
    NodePool pool,
    Optional<ControlPlane> controlPlane,
    Optional<Problem> problem,
    Optional<Instant> pausedUntil,
    KubeletSettings kubelet,
    Optional<ApiEndpoint> endpoint,
    Optional<HeartbeatTarget> heartbeats,
    Optional<ClusterPlan> plan,
    AgentPlan agents,
    boolean hasAgents,
    Optional<NodeAuthorities> authorities) {
  /** Reasons of Degraded for which pods cannot be created. */
  private static final Set<String> WRITES_FAIL =
      Set.of(
          Reason.SpaceExceeded.name(),
          Reason.PrefixSpaceExceeded.name(),
          Reason.JournalStalled.name());

  /** The version that kubelets are to have: the spec's, or the one that the ControlPlane runs. */
  public Optional<String> version() {
    return Optional.ofNullable(pool.getSpec().version()).or(this::running);
  }

  /** The version that the ControlPlane runs, if it runs. */
  public Optional<String> running() {
    return controlPlane.flatMap(PoolContext::runningVersion);
  }

  /** Whether the ControlPlane says that its API does not serve. */
  public boolean isUnavailable() {
    return controlPlane
        .map(ControlPlane::getStatus)
        .map(ControlPlaneStatus::conditions)
        .filter(
            conditions ->
                conditions.stream()
                    .anyMatch(
                        each ->
                            each.type().equals(ConditionType.Available.name())
                                && each.status().equals(Condition.FALSE)))
        .isPresent();
  }

  /** Whether the meltdown guard of the ControlPlane holds evictions back. */
  public boolean isFrozen() {
    return controlPlane
        .map(ControlPlane::getStatus)
        .map(ControlPlaneStatus::guard)
        .filter(guard -> Boolean.TRUE.equals(guard.frozen()))
        .isPresent();
  }

  /**
   * Why no pod is asked to leave a node now, and the next action; empty if nothing is in the way.
   */
  public Optional<String> holdOnDrains() {
    if (isUnavailable()) {
      return Optional.of("The API does not serve. See Available of the ControlPlane.");
    }
    if (isFrozen()) {
      return Optional.of(
          "The meltdown guard holds evictions back. See NodeEvictionsAllowed of the ControlPlane.");
    }
    return controlPlane
        .map(ControlPlane::getStatus)
        .map(ControlPlaneStatus::conditions)
        .flatMap(
            conditions ->
                conditions.stream()
                    .filter(each -> each.type().equals(ConditionType.Degraded.name()))
                    .filter(each -> each.status().equals(Condition.TRUE))
                    .filter(each -> WRITES_FAIL.contains(each.reason()))
                    .findFirst())
        .map(
            each ->
                "A store takes no writes (%s), so pods that leave could not start elsewhere. See Degraded of the ControlPlane."
                    .formatted(each.reason()));
  }

  /** Whether nodes that joined may be changed at all: the spec holds, and nobody paused it. */
  public boolean mayChangeNodes() {
    return problem.isEmpty()
        && !isPaused()
        && running().isPresent()
        && endpoint.isPresent()
        && !isUnavailable();
  }

  public boolean isPaused() {
    return pausedUntil.isPresent();
  }

  public String controlPlaneName() {
    return pool.getSpec().controlPlaneRef().name();
  }
}
