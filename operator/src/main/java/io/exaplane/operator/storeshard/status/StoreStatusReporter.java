// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.address.KeptAddresses;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.claim.ClaimCheck;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.condition.CapacityAvailableCondition;
import io.exaplane.operator.storeshard.condition.ConfigurationValidCondition;
import io.exaplane.operator.storeshard.condition.DataIntactCondition;
import io.exaplane.operator.storeshard.condition.OperatorUpdatePendingCondition;
import io.exaplane.operator.storeshard.condition.ReadyCondition;
import io.exaplane.operator.storeshard.condition.ReconciliationActiveCondition;
import io.exaplane.operator.storeshard.condition.RestartBudgetAvailableCondition;
import io.exaplane.operator.storeshard.condition.TrafficObservedCondition;
import io.exaplane.operator.storeshard.condition.UpToDateCondition;
import io.exaplane.operator.storeshard.condition.VolumeSizedCondition;
import io.exaplane.operator.storeshard.condition.WalHealthyCondition;
import io.exaplane.operator.storeshard.data.DataLife;
import io.exaplane.operator.storeshard.data.DataRecord;
import io.exaplane.operator.storeshard.dependent.StoreAddress;
import io.exaplane.operator.storeshard.gate.PullSecretAllowed;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.exaplane.operator.storeshard.usage.StoreFigures;
import io.exaplane.operator.storeshard.usage.StoreUsage;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Tells a store's status from its objects. Made for one reconciliation. */
public final class StoreStatusReporter {
  private static final String POD_REPLACED = "PodReplaced";
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final StoreShard shard;
  private final Context<StoreShard> context;
  private final StorePodState pod;
  private final ConditionSet conditions;
  private final Clock clock;
  private final String newestImage;
  private final Update update;
  private Optional<Instant> heard = Optional.empty();

  /**
   * For one look.
   *
   * @param newestImage what this operator has for the store
   * @param update what this operator would change
   */
  public StoreStatusReporter(
      StoreShard shard,
      Context<StoreShard> context,
      String newestImage,
      Update update,
      Clock clock) {
    this.newestImage = newestImage;
    this.update = update;
    this.shard = shard;
    this.context = context;
    this.pod = new StorePodState(shard, context);
    this.clock = clock;
    this.conditions =
        new ConditionSet(
            shard.getStatus() == null ? null : shard.getStatus().conditions(),
            shard.getMetadata().getGeneration(),
            clock);
  }

  /**
   * A store's status when a look failed: all else stays as it was.
   *
   * @param refusal what failed
   */
  public static StoreShardStatus failed(StoreShard shard, Refusal refusal, Clock clock) {
    StoreShardStatus before = shard.getStatus();
    ConditionSet conditions =
        new ConditionSet(
            before == null ? null : before.conditions(),
            shard.getMetadata().getGeneration(),
            clock);
    for (StoreCondition each : StoreCondition.values()) {
      conditions.keep(each);
    }
    RefusedWrites.report(
        conditions,
        StoreCondition.ReconciliationActive,
        shard.getMetadata().getGeneration(),
        List.of(refusal));
    StoreToolConditions.derive(conditions);
    return StoreShardStatus.of(before, conditions.build());
  }

  /** The status as it should be; equal to the one there is when nothing changed. */
  public StoreShardStatus status(RestartPlan restarts) {
    Optional<StoreUsage> usage = context.getSecondaryResource(StoreUsage.class);
    DataRecord data = data(usage);
    StoreLife life =
        new StoreLife(
            shard.getStatus(),
            Optional.ofNullable(data.dataId()),
            usage.map(StoreUsage::figures),
            endOfContainer());
    Optional<StoreDataLoss> loss = Optional.ofNullable(data.loss());
    conditions
        .set(StoreCondition.Ready, ready(loss, usage))
        .set(StoreCondition.DataIntact, DataIntactCondition.of(shard, loss, life.losses()));
    ClaimGrowth.found(context)
        .ifPresent(
            growth ->
                conditions.set(
                    StoreCondition.VolumeSized,
                    VolumeSizedCondition.of(
                        shard,
                        growth,
                        conditions.previous(StoreCondition.VolumeSized),
                        OwnSet.of(shard, context))));
    conditions.set(
        StoreCondition.UpToDate,
        UpToDateCondition.of(shard, OwnSet.of(shard, context), newestImage));
    conditions.set(
        StoreCondition.OperatorUpdatePending, OperatorUpdatePendingCondition.of(shard, update));
    if (shard.getSpec().engine() == StoreEngine.Memory) {
      usage.ifPresentOrElse(this::usage, this::usageUnknown);
    }
    conditions.set(
        StoreCondition.ConfigurationValid,
        ConfigurationValidCondition.of(
            shard, update.problem(), () -> read(() -> PullSecretAllowed.notice(shard, context))));
    conditions.set(
        StoreCondition.RestartBudgetAvailable, RestartBudgetAvailableCondition.of(shard, restarts));
    conditions.set(StoreCondition.ReconciliationActive, ReconciliationActiveCondition.of());
    RefusedWrites.report(
        conditions,
        StoreCondition.ReconciliationActive,
        shard.getMetadata().getGeneration(),
        Outcomes.of(context).refusals());
    conditions.limitPatience(ConditionSet::since, _ -> pod.lookAt());
    StoreToolConditions.derive(conditions);
    return new StoreShardStatus(
        shard.getMetadata().getGeneration(),
        StoreAddress.url(service()).orElse(null),
        service()
            .flatMap(KeptAddresses::of)
            .orElse(shard.getStatus() == null ? null : shard.getStatus().service()),
        life.dataId(),
        life.losses(),
        data.loss(),
        revisionFloor(usage, life.lostVolume()),
        life.figure(StoreFigures::revision, StoreShardStatus::revision),
        life.figure(StoreFigures::durableRevision, StoreShardStatus::durableRevision),
        life.figure(StoreFigures::compactedRevision, StoreShardStatus::compactedRevision),
        life.figure(StoreFigures::keys, StoreShardStatus::keys),
        life.figure(StoreFigures::bytes, StoreShardStatus::bytes),
        life.figure(StoreFigures::quota, StoreShardStatus::quota),
        life.figure(StoreFigures::load, StoreShardStatus::load),
        life.figure(StoreFigures::loadQuota, StoreShardStatus::loadQuota),
        life.figure(StoreFigures::watchers, StoreShardStatus::watchers),
        life.startTime(),
        life.restart(),
        restartedAt(),
        ClaimGrowth.found(context).map(growth -> growth.has().toString()).orElse(null),
        bundle(),
        conditions.build(),
        restarts.status());
  }

  /** Another one is told only when the pod is made of it, for which others wait. */
  private String bundle() {
    String before = shard.getStatus() == null ? null : shard.getStatus().bundle();
    boolean takenUp =
        OwnSet.of(shard, context)
            .filter(
                set -> livingPod().filter(pod -> RestartRequest.isTakenUp(set, pod)).isPresent())
            .isPresent();
    return before == null || takenUp ? update.next() : before;
  }

  private String restartedAt() {
    Optional<StatefulSet> set = OwnSet.of(shard, context);
    if (RestartRequest.isDone(shard, set, livingPod())) {
      return shard.getSpec().restartedAt();
    }
    return shard.getStatus() == null ? null : shard.getStatus().restartedAt();
  }

  private String endOfContainer() {
    return context
        .getSecondaryResource(Pod.class)
        .map(pod -> pod.getStatus().getContainerStatuses())
        .flatMap(containers -> containers.stream().findFirst())
        .map(ContainerStatus::getLastState)
        .map(ContainerState::getTerminated)
        .map(ContainerStateTerminated::getReason)
        .orElse(POD_REPLACED);
  }

  /**
   * It is only ever raised: as far as the store says, from the first time that it serves, and by
   * more than one step when it lost its volume and may have shown what nobody was told.
   */
  private Long revisionFloor(Optional<StoreUsage> usage, boolean lostVolume) {
    if (shard.getSpec().engine() != StoreEngine.Memory) {
      return null;
    }
    Long known = shard.getStatus() == null ? null : shard.getStatus().revisionFloor();
    if (known == null) {
      return conditions.isTrue(StoreCondition.Ready) ? StoreUsage.FIRST_FLOOR : null;
    }
    long least = lostVolume ? known + StoreUsage.FIRST_FLOOR : known;
    return usage.map(now -> Math.max(now.revisionFloor(), least)).orElse(least);
  }

  private void usage(StoreUsage usage) {
    conditions
        .setOrKeep(
            StoreCondition.TrafficObserved,
            TrafficObservedCondition.of(
                usage.traffic(),
                conditions.previous(StoreCondition.TrafficObserved).isPresent(),
                conditions.wasMet(StoreCondition.TrafficObserved)))
        .set(StoreCondition.WalHealthy, WalHealthyCondition.of(shard, usage.stalled()))
        .set(
            StoreCondition.CapacityAvailable,
            CapacityAvailableCondition.of(
                usage.space(),
                usage.holders(),
                CapacityAvailableCondition.growth(shard, usage.space(), dataGoesWithPod())));
  }

  private boolean dataGoesWithPod() {
    return StoreNames.dataGoesWithPod(shard, OwnSet.of(shard, context));
  }

  /** When the store told of itself for the last time. */
  public void heard(Instant last) {
    heard = Optional.of(last);
  }

  /** Whether a store that serves has told nothing for longer than a look may fail. */
  private boolean isLongSilent() {
    Instant servesSince =
        conditions.current(StoreCondition.Ready).map(ConditionSet::since).orElse(Instant.MAX);
    return heard
        .map(last -> last.isAfter(servesSince) ? last : servesSince)
        .filter(since -> since.isBefore(Instant.MAX))
        .filter(since -> !clock.instant().isBefore(since.plus(SILENCE)))
        .isPresent();
  }

  /** One that serves is asked again soon; of one that does not answer, nothing is known. */
  private void usageUnknown() {
    boolean serves = conditions.isTrue(StoreCondition.Ready);
    boolean stays = serves && !isLongSilent();
    conditions
        .setOrKeep(
            StoreCondition.WalHealthy, unless(stays, () -> WalHealthyCondition.unknown(serves)))
        .setOrKeep(
            StoreCondition.CapacityAvailable,
            unless(stays, () -> CapacityAvailableCondition.unknown(serves)))
        .setOrKeep(
            StoreCondition.TrafficObserved,
            unless(stays, () -> TrafficObservedCondition.unknown(serves)));
  }

  private static Optional<Verdict> unless(boolean stays, Supplier<Verdict> verdict) {
    return stays ? Optional.empty() : Optional.of(verdict.get());
  }

  /** Whether the store serves, by the status that was told. */
  public boolean serves() {
    return conditions.isTrue(StoreCondition.Ready);
  }

  /** Since when the store has not served. */
  public Instant unreadySince() {
    return conditions.current(StoreCondition.Ready).map(ConditionSet::since).orElse(Instant.EPOCH);
  }

  /** Conditions that changed. */
  public List<Condition> changes() {
    return conditions.changes();
  }

  private Verdict ready(Optional<StoreDataLoss> loss, Optional<StoreUsage> usage) {
    return ReadyCondition.of(
        new ReadyCondition.Seen(
            shard,
            loss,
            TlsSecretText.of(shard, context)
                .or(() -> ClaimCheck.found(context).map(ReadyCondition::claimOfAnother)),
            OwnSet.of(shard, context),
            context.getSecondaryResource(Pod.class),
            service(),
            livingPod().isPresent() && usage.filter(StoreUsage::stalled).isPresent(),
            () -> read(() -> PullSecretAllowed.objection(shard, context)),
            pod::state),
        conditions.wasMet(StoreCondition.Ready, Reason.StoreUnavailable));
  }

  /** Nothing if it cannot be read, which ReconciliationActive tells. */
  private <T> Optional<T> read(Supplier<Optional<T>> look) {
    return Outcomes.of(context).read(look).flatMap(found -> found);
  }

  private DataRecord data(Optional<StoreUsage> usage) {
    Long told = shard.getStatus() == null ? null : shard.getStatus().revision();
    Long seen = usage.map(StoreUsage::figures).map(StoreFigures::revision).orElse(told);
    Long newest = told == null || seen == null ? seen : Long.valueOf(Math.max(told, seen));
    return DataLife.next(shard, livingPod(), volumeUid(), newest, clock.instant());
  }

  private Optional<Pod> livingPod() {
    return context
        .getSecondaryResource(Pod.class)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null);
  }

  /** Identity of the volume: the claim's, or the pod's with which an EmptyDir comes and goes. */
  private Optional<String> volumeUid() {
    Optional<? extends HasMetadata> volume =
        StoreNames.isPersistent(shard, OwnSet.of(shard, context))
            ? context.getSecondaryResource(PersistentVolumeClaim.class)
            : livingPod();
    return volume.map(v -> v.getMetadata().getUid());
  }

  private Optional<Service> service() {
    return context.getSecondaryResource(Service.class);
  }
}
