// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.claim;

import io.exaplane.api.v1alpha1.StorageDeletion;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whose deletion deletes a store's claim. With {@code deletion: Delete} the StoreShard owns the
 * claim, so the garbage collector deletes the claim after the StoreShard, and for no other reason.
 * With {@code Retain} the claim has no owner. The StatefulSet never owns the claim: a StatefulSet
 * may be deleted and created again while its store lives. Pure.
 */
final class ClaimOwner {
  private ClaimOwner() {}

  /**
   * What to write on a claim, as a JSON merge patch; nothing if the owners are right.
   *
   * @return a patch that holds only for the claim as it was seen: others write owners, too
   */
  static Optional<String> patch(StoreShard shard, PersistentVolumeClaim claim) {
    boolean wanted = shard.getSpec().deletion() == StorageDeletion.Delete;
    List<OwnerReference> owners = owners(claim);
    if (wanted == owners.stream().anyMatch(owner -> isOf(shard, owner))) {
      return Optional.empty();
    }
    List<OwnerReference> right =
        Stream.concat(
                owners.stream().filter(owner -> !isOf(shard, owner)),
                wanted ? Stream.of(reference(shard)) : Stream.empty())
            .toList();
    ObjectMeta seen = claim.getMetadata();
    return Optional.of(
        Serialization.asJson(
            Map.of(
                "metadata",
                Map.of(
                    "uid",
                    seen.getUid(),
                    "resourceVersion",
                    seen.getResourceVersion(),
                    "ownerReferences",
                    right))));
  }

  /**
   * Why a claim that existed before a store is about to be deleted: somebody deletes it, or its
   * owner no longer exists. A store that took it would lose its data with the claim.
   */
  static Optional<String> leaving(StoreShard shard, PersistentVolumeClaim claim) {
    if (claim.getMetadata().getDeletionTimestamp() != null) {
      return Optional.of("is being deleted");
    }
    List<OwnerReference> owners = owners(claim);
    // One of a StatefulSet says nothing: that may be restored, and not taken over yet.
    boolean former =
        !owners.isEmpty()
            && owners.stream()
                .allMatch(owner -> owner.getKind().equals(shard.getKind()) && !isOf(shard, owner));
    return former
        ? Optional.of(
            "belongs to the deleted StoreShard with UID %s, with which the garbage collector deletes it"
                .formatted(owners.getFirst().getUid()))
        : Optional.empty();
  }

  private static boolean isOf(StoreShard shard, OwnerReference owner) {
    return Objects.equals(owner.getUid(), shard.getMetadata().getUid());
  }

  private static List<OwnerReference> owners(PersistentVolumeClaim claim) {
    return Objects.requireNonNullElse(claim.getMetadata().getOwnerReferences(), List.of());
  }

  /** No controller: a StatefulSet leaves claims alone that another controller owns. */
  private static OwnerReference reference(StoreShard shard) {
    return new OwnerReferenceBuilder()
        .withApiVersion(shard.getApiVersion())
        .withKind(shard.getKind())
        .withName(shard.getMetadata().getName())
        .withUid(shard.getMetadata().getUid())
        .build();
  }
}
