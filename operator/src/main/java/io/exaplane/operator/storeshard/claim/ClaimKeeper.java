// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.exaplane.operator.status.Words;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes on a store's claim whose data it holds, once, and who owns it: a claim that says both is
 * left alone. Thread-safe: keeps nothing.
 */
@ApplicationScoped
public class ClaimKeeper {
  private static final String FIELD_MANAGER = "exaplane-claim-record";
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  private final EventRecorder events;

  ClaimKeeper(EventRecorder events) {
    this.events = events;
  }

  /** Only of a store that runs: before that, ClaimCheck says whether the claim is its own. */
  public void record(StoreShard shard, Context<StoreShard> context) {
    if (!StoreNames.isPersistent(shard, OwnSet.of(shard, context))
        || OwnSet.of(shard, context).isEmpty()) {
      return;
    }
    claim(shard, context)
        .filter(claim -> !ClaimRecord.isOn(shard, claim))
        .ifPresent(
            claim -> {
              context
                  .getClient()
                  .resource(ClaimRecord.patch(shard, claim))
                  .fieldManager(FIELD_MANAGER)
                  .forceConflicts()
                  .serverSideApply();
              before(shard, claim).ifPresent(uid -> tell(shard, claim, uid));
            });
  }

  /**
   * Makes the StoreShard the owner of its claim, or takes that back, as {@code spec.deletion} says.
   * Only of a claim with the record of this StoreShard, which a store gets once it runs.
   */
  public void own(StoreShard shard, Context<StoreShard> context) {
    claim(shard, context)
        .filter(claim -> ClaimRecord.isOn(shard, claim))
        .ifPresent(
            claim ->
                ClaimOwner.patch(shard, claim).ifPresent(patch -> write(claim, patch, context)));
  }

  private static void write(
      PersistentVolumeClaim claim, String patch, Context<StoreShard> context) {
    try {
      context.getClient().resource(claim).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      // The claim has changed, most often by its StatefulSet; that event brings the next pass.
    }
  }

  /** Asks for more room where the spec does, and tells how far that is. */
  public ClaimGrowth grow(StoreShard shard, Context<StoreShard> context) {
    Optional<StatefulSet> set = OwnSet.of(shard, context);
    Optional<PersistentVolumeClaim> claim = claim(shard, context);
    Supplier<List<StorageClass>> classes =
        () -> context.getClient().storage().v1().storageClasses().list().getItems();
    ClaimGrowth growth = ClaimGrowth.of(shard, set, claim, classes, Optional.empty());
    if (growth.step() != ClaimGrowth.Step.TO_ASK) {
      return growth;
    }
    try {
      context
          .getClient()
          .resource(claim.orElseThrow())
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              ClaimGrowth.patch(claim.get(), growth.asked()));
      return growth;
    } catch (KubernetesClientException e) {
      if (e.getCode() != FORBIDDEN && e.getCode() != INVALID) {
        throw e;
      }
      String said = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
      return ClaimGrowth.of(shard, set, claim, classes, Optional.of(Words.refusal(said)));
    }
  }

  private static Optional<PersistentVolumeClaim> claim(
      StoreShard shard, Context<StoreShard> context) {
    return context
        .getSecondaryResourcesAsStream(PersistentVolumeClaim.class)
        .filter(any -> any.getMetadata().getName().equals(ClaimRecord.claim(shard)))
        .filter(any -> any.getMetadata().getDeletionTimestamp() == null)
        .findFirst();
  }

  /** The store whose data it was, if it was another one. */
  private static Optional<String> before(StoreShard shard, PersistentVolumeClaim claim) {
    return Optional.ofNullable(claim.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(ClaimRecord.STORE_UID))
        .filter(uid -> !uid.equals(shard.getMetadata().getUid()));
  }

  private void tell(StoreShard shard, PersistentVolumeClaim claim, String uid) {
    events.tell(
        shard,
        new News(
            false,
            Reason.DataTakenOver,
            "Took over PersistentVolumeClaim %s with the data of the deleted StoreShard %s with UID %s."
                .formatted(claim.getMetadata().getName(), shard.getMetadata().getName(), uid)));
  }
}
