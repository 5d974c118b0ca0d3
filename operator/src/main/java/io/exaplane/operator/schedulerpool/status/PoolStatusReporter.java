// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Shards;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.schedulerpool.condition.InCharge;
import io.exaplane.operator.schedulerpool.condition.RestartBudgetAvailableCondition;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolAddresses;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.render.PoolInputs;
import io.exaplane.operator.schedulerpool.render.SetRollout;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells a pool's status from what was observed. Made for one reconciliation. */
public final class PoolStatusReporter {
  private final SchedulerPool pool;
  private final ConditionSet conditions;
  private Optional<RestartPlan> restarts = Optional.empty();

  public PoolStatusReporter(SchedulerPool pool, Clock clock) {
    this.pool = pool;
    this.conditions =
        new ConditionSet(
            pool.getStatus() == null ? null : pool.getStatus().conditions(),
            pool.getMetadata().getGeneration(),
            clock);
  }

  /** What is to be done about restarts; without it, what is known of them stays. */
  public void restarts(RestartPlan plan) {
    restarts = Optional.of(plan);
  }

  /**
   * The status as it should be; equal to the one there is when nothing changed.
   *
   * @param newestImage what this operator's pods would run
   * @param update what this operator would change
   * @param refusals writes of the last attempt that were refused
   */
  public SchedulerPoolStatus status(
      PoolObserved observed,
      boolean paused,
      String newestImage,
      Update update,
      List<Refusal> refusals) {
    InCharge charge = InCharge.of(observed);
    PoolConditions.report(conditions, observed, charge, paused, newestImage, update);
    conditions.setOrKeep(
        PoolCondition.RestartBudgetAvailable,
        restarts.map(plan -> RestartBudgetAvailableCondition.of(pool, plan)));
    RefusedWrites.report(
        conditions,
        PoolCondition.ReconciliationActive,
        pool.getMetadata().getGeneration(),
        refusals);
    PoolTrouble trouble = new PoolTrouble(observed);
    conditions.limitPatience(trouble::since, _ -> trouble.firstOrLookAt());
    PoolToolConditions.derive(conditions);
    SchedulerPoolStatus before = pool.getStatus();
    PoolNames names = new PoolNames(pool);
    return new SchedulerPoolStatus(
        pool.getMetadata().getGeneration(),
        observed
            .completeInputs()
            .map(PoolInputs::kubernetesVersion)
            .orElse(before == null ? null : before.kubernetesVersion()),
        observed.view().isEmpty() && before != null
            ? before.leader()
            : charge.leader().orElse(null),
        tier(observed, Tier.ROOT),
        tier(observed, Tier.RELAY),
        shards(observed, names),
        observed.view().isEmpty() && before != null
            ? before.tree()
            : observed.view().flatMap(PoolView::tree).filter(t -> t.shards() > 0).orElse(null),
        PoolAddresses.next(pool, observed.services()),
        observed.completeInputs().isPresent()
            ? update.next()
            : before == null ? null : before.bundle(),
        conditions.build(),
        restarts.isPresent() ? restarts.get().status() : before == null ? null : before.restart());
  }

  /** The last look failed and is tried again. */
  public SchedulerPoolStatus failed(Refusal refusal) {
    for (PoolCondition each : PoolCondition.values()) {
      conditions.keep(each);
    }
    RefusedWrites.report(
        conditions,
        PoolCondition.ReconciliationActive,
        pool.getMetadata().getGeneration(),
        List.of(refusal));
    PoolToolConditions.derive(conditions);
    SchedulerPoolStatus before = pool.getStatus();
    return before == null
        ? new SchedulerPoolStatus(
            pool.getMetadata().getGeneration(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            conditions.build())
        : new SchedulerPoolStatus(
            before.observedGeneration(),
            before.kubernetesVersion(),
            before.leader(),
            before.roots(),
            before.relays(),
            before.shards(),
            before.tree(),
            before.services(),
            before.bundle(),
            conditions.build(),
            before.restart());
  }

  /** How long until a message is to be another one; nothing when none waits for that. */
  public Optional<Duration> untilPatienceEnds() {
    return conditions.untilPatienceEnds();
  }

  /** Conditions that changed. */
  public List<Condition> changes() {
    return conditions.changes();
  }

  private SchedulerPoolStatus.Tier tier(PoolObserved observed, Tier tier) {
    Optional<StatefulSet> set = observed.set(tier);
    int ready = set.map(SetRollout::ready).orElse(0);
    return new SchedulerPoolStatus.Tier(
        set.map(SetRollout::replicas).orElse(0),
        ready,
        set.map(SetRollout::updated).orElse(0),
        ready + "/" + tier.replicas(pool.getSpec()));
  }

  private Shards shards(PoolObserved observed, PoolNames names) {
    SchedulerPoolStatus.Tier tier = tier(observed, Tier.SHARD);
    return new Shards(
        tier.replicas(),
        tier.ready(),
        tier.updated(),
        tier.summary(),
        names.selector(Tier.SHARD).entrySet().stream()
            .map(Objects::toString)
            .collect(Collectors.joining(",")));
  }
}
