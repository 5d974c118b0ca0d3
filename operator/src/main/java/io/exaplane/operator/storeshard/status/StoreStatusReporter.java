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
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import io.exaplane.operator.storeshard.claim.ClaimCheck;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.exaplane.operator.storeshard.data.DataLife;
import io.exaplane.operator.storeshard.data.DataRecord;
import io.exaplane.operator.storeshard.data.LossText;
import io.exaplane.operator.storeshard.dependent.StoreAddress;
import io.exaplane.operator.storeshard.restart.RestartRequest;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.exaplane.operator.storeshard.usage.StoreFigures;
import io.exaplane.operator.storeshard.usage.StoreUsage;
import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells a store's status from its objects. Made for one reconciliation. */
public final class StoreStatusReporter {
  private static final String POD_REPLACED = "PodReplaced";

  private final StoreShard shard;
  private final Context<StoreShard> context;
  private final StorePodState pod;
  private final ConditionSet conditions;
  private final Clock clock;
  private final String newestImage;

  /**
   * For one look.
   *
   * @param newestImage what this operator has for the store
   */
  public StoreStatusReporter(
      StoreShard shard, Context<StoreShard> context, String newestImage, Clock clock) {
    this.newestImage = newestImage;
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

  /** The status as it should be; equal to the one there is when nothing changed. */
  public StoreShardStatus status() {
    Optional<StoreUsage> usage = context.getSecondaryResource(StoreUsage.class);
    DataRecord data = data(usage);
    StoreLife life =
        new StoreLife(
            shard.getStatus(),
            Optional.ofNullable(data.dataId()),
            usage.map(StoreUsage::figures),
            endOfContainer());
    ready(data);
    dataIntact(data, life.losses());
    ClaimGrowth.found(context)
        .ifPresent(
            growth ->
                conditions.set(
                    StoreCondition.VolumeSized,
                    growth.isMet(),
                    growth.reason(),
                    growth.message(shard)));
    StoreUpToDate.set(conditions, shard, OwnSet.of(shard, context), newestImage);
    if (shard.getSpec().engine() == StoreEngine.Memory) {
      usage.ifPresentOrElse(this::usage, this::usageUnknown);
    }
    conditions.set(
        StoreCondition.ReconciliationActive,
        true,
        Reason.AsExpected,
        "The operator applies changes.");
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
        life.figure(StoreFigures::compactedRevision, StoreShardStatus::compactedRevision),
        life.figure(StoreFigures::keys, StoreShardStatus::keys),
        life.figure(StoreFigures::bytes, StoreShardStatus::bytes),
        life.figure(StoreFigures::quota, StoreShardStatus::quota),
        life.figure(StoreFigures::watchers, StoreShardStatus::watchers),
        life.startTime(),
        life.restart(),
        restartedAt(),
        ClaimGrowth.found(context).map(growth -> growth.has().toString()).orElse(null),
        conditions.build());
  }

  private String restartedAt() {
    Optional<StatefulSet> set = OwnSet.of(shard, context);
    if (RestartRequest.isDone(shard, set, livingPod())) {
      return shard.getSpec().restartedAt();
    }
    return shard.getStatus() == null ? null : shard.getStatus().restartedAt();
  }

  private void dataIntact(DataRecord data, int losses) {
    if (data.loss() != null) {
      conditions.set(StoreCondition.DataIntact, false, Reason.StoreDataLost, lossText(data.loss()));
      return;
    }
    conditions.set(
        StoreCondition.DataIntact,
        losses == 0,
        losses == 0 ? Reason.AsExpected : Reason.StoreDataLost,
        losses == 0
            ? "The store holds everything that was written to it."
            : "The store lost its data and started empty %d time(s). To keep data, use a PersistentVolume and another durability than Memory."
                .formatted(losses));
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
    traffic(usage.traffic());
    conditions.set(
        StoreCondition.WalHealthy,
        !usage.stalled(),
        usage.stalled() ? Reason.JournalStalled : Reason.AsExpected,
        usage.stalled()
            ? "The store cannot write its journal and refuses writes; make room on the volume, and see 'kubectl logs %s-0'."
                .formatted(shard.getMetadata().getName())
            : "The store can write its journal.");
    SpaceVerdict space =
        SpaceVerdict.of(
            usage.space(),
            usage.holders(),
            SpaceVerdict.growth(shard, usage.space(), dataGoesWithPod()));
    conditions.set(StoreCondition.CapacityAvailable, space.met(), space.reason(), space.message());
  }

  private void traffic(Traffic traffic) {
    switch (traffic) {
      case AWAITED -> {
        conditions.set(
            StoreCondition.TrafficObserved,
            Condition.UNKNOWN,
            Reason.Starting,
            "No write was seen yet. This is normal during the first 10 minutes.");
        conditions.keep(StoreCondition.TrafficObserved);
      }
      case OBSERVED ->
          conditions.set(
              StoreCondition.TrafficObserved, true, Reason.AsExpected, "Objects were written.");
      case NONE -> {
        conditions.set(
            StoreCondition.TrafficObserved,
            false,
            Reason.NoTraffic,
            "No object was written for at least 10 minutes. If you expect objects, check the Kinds "
                + "in spec.storage.routes.");
        if (conditions.wasMet(StoreCondition.TrafficObserved)) {
          conditions.keep(StoreCondition.TrafficObserved);
        }
      }
    }
  }

  private boolean dataGoesWithPod() {
    return StoreNames.dataGoesWithPod(shard, OwnSet.of(shard, context));
  }

  /** One that serves is asked again soon; of one that does not, nothing is known. */
  private void usageUnknown() {
    for (StoreCondition condition :
        List.of(
            StoreCondition.WalHealthy,
            StoreCondition.CapacityAvailable,
            StoreCondition.TrafficObserved)) {
      if (conditions.isTrue(StoreCondition.Ready)) {
        conditions.keep(condition);
      } else {
        conditions.set(
            condition,
            Condition.UNKNOWN,
            Reason.StoreUnavailable,
            "The store does not answer; see Ready.");
      }
    }
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

  /** A store of a control plane is spoken of there. */
  private String lossText(StoreDataLoss loss) {
    Map<String, String> labels = shard.getMetadata().getLabels();
    String controlPlane = labels == null ? null : labels.get(ControlPlaneNames.CONTROL_PLANE_LABEL);
    return LossText.of(
        shard,
        loss,
        controlPlane == null
            ? "storeshard " + shard.getMetadata().getName()
            : "controlplane " + controlPlane);
  }

  private void ready(DataRecord data) {
    if (data.loss() != null) {
      conditions.set(StoreCondition.Ready, false, Reason.StoreDataLost, lossText(data.loss()));
      return;
    }
    Optional<TlsSecretText> tls = TlsSecretText.of(shard, context);
    if (tls.isPresent()) {
      conditions.set(StoreCondition.Ready, false, tls.get().reason(), tls.get().message());
      return;
    }
    Optional<String> objection = ClaimCheck.found(context);
    if (objection.isPresent()) {
      conditions.set(StoreCondition.Ready, false, Reason.ClaimOfAnother, objection.get());
      return;
    }
    Optional<StatefulSet> set = OwnSet.of(shard, context);
    boolean ready =
        set.map(StatefulSet::getStatus)
            .filter(status -> Rollout.count(status.getReadyReplicas()) > 0)
            .isPresent();
    if (ready) {
      conditions.set(
          StoreCondition.Ready,
          true,
          Reason.AsExpected,
          "The store serves."
              + context
                  .getSecondaryResource(Pod.class)
                  .flatMap(pod -> StoreQuality.remark(shard, pod))
                  .map(remark -> " " + remark)
                  .orElse("")
              + StoreAddress.lost(shard, service()).map(remark -> " " + remark).orElse(""));
      return;
    }
    boolean hasBeenReady = conditions.wasMet(StoreCondition.Ready, Reason.StoreUnavailable);
    conditions.set(
        StoreCondition.Ready,
        false,
        hasBeenReady ? Reason.StoreUnavailable : Reason.Starting,
        pod.state());
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
