// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.restart.ComponentLook;
import io.exaplane.operator.restart.Dependency;
import io.exaplane.operator.restart.PodLook;
import io.exaplane.operator.restart.RestartLedger;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.restart.RestartPolicy;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The restarts of a pool's processes. Roots need the API of their cluster; relays and shards wait
 * for each other as long as it takes. Pure.
 */
public final class PoolRestarts {
  private PoolRestarts() {}

  /**
   * What is to be done about them.
   *
   * @param mayReplace whether the operator may change anything now
   */
  public static RestartPlan plan(PoolObserved observed, boolean mayReplace, Instant now) {
    SchedulerPool pool = observed.pool();
    Map<String, String> annotations = pool.getMetadata().getAnnotations();
    RestartPolicy policy = RestartPolicy.of(pool.getSpec().restart());
    RestartLedger ledger =
        new RestartLedger(
            policy,
            pool.getStatus() == null ? null : pool.getStatus().restart(),
            annotations == null ? null : annotations.get(Names.RELEASE_RESTARTS),
            now);
    List<ComponentLook> looks =
        Arrays.stream(Tier.values())
            .filter(tier -> observed.set(tier).isPresent())
            .map(tier -> look(observed, tier))
            .toList();
    return RestartPlan.of(policy, pool.getMetadata().getUid(), ledger, looks, mayReplace, now);
  }

  private static ComponentLook look(PoolObserved observed, Tier tier) {
    return new ComponentLook(
        tier.label(),
        tier.replicas(observed.pool().getSpec()),
        observed.pods(tier).stream().map(PodLook::of).toList(),
        tier == Tier.ROOT ? api(observed) : Dependency.NONE,
        ComponentLook.Turns.ANY);
  }

  /** Since when it serves is known of a control plane alone. */
  private static Dependency api(PoolObserved observed) {
    Optional<ControlPlane> hosted = observed.target().flatMap(PoolTarget::controlPlane);
    if (hosted.isPresent()) {
      return available(hosted.get()).map(Dependency::since).orElse(Dependency.AWAY);
    }
    return observed.view().filter(PoolView::answers).isPresent()
        ? Dependency.NONE
        : Dependency.AWAY;
  }

  private static Optional<Instant> available(ControlPlane controlPlane) {
    return controlPlane.getStatus() == null || controlPlane.getStatus().conditions() == null
        ? Optional.empty()
        : Stream.of(controlPlane.getStatus().conditions())
            .flatMap(List::stream)
            .filter(condition -> condition.type().equals(ConditionType.Available.name()))
            .filter(condition -> condition.status().equals(Condition.TRUE))
            .map(condition -> Instant.parse(condition.lastTransitionTime()))
            .findFirst();
  }
}
