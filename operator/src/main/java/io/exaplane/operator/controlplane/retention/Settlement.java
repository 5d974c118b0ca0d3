// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageDeletion;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.pki.DepartingSecrets;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Before anything of a control plane is removed: what is to outlive it has no owner, and what is to
 * go with it has one. The spec may have changed a moment before, so all of it is looked at, and
 * what was written is looked at again. Keeps nothing.
 */
public final class Settlement {
  private Settlement() {}

  /** Writes what is not as it should be, and names what has to be seen to be before the rest. */
  public static List<String> settle(
      ControlPlane controlPlane, Collection<StoreShard> shards, KubernetesClient client) {
    List<PersistentVolumeClaim> claims = RetainedData.claims(controlPlane, client);
    boolean kept = isKept(controlPlane, claims);
    DepartingSecrets.settle(controlPlane, RetainedData.secrets(controlPlane, client), kept, client);
    if (!kept) {
      claims.stream()
          .filter(claim -> claim.getMetadata().getOwnerReferences().isEmpty())
          .forEach(claim -> patch(claim, owner(controlPlane), client));
      return List.of();
    }
    List<String> left = new ArrayList<>(equalRoutes(controlPlane, shards, claims, client));
    for (StoreShard shard : shards) {
      if (shard.getMetadata().getDeletionTimestamp() == null && !isSeenToRetain(shard)) {
        if (shard.getSpec().deletion() != StorageDeletion.Retain) {
          patch(shard, "{\"spec\":{\"deletion\":\"Retain\"}}", client);
        }
        left.add("StoreShard " + shard.getMetadata().getName() + " with its claim's owner");
      }
      StatefulSet set =
          client
              .apps()
              .statefulSets()
              .inNamespace(shard.getMetadata().getNamespace())
              .withName(shard.getMetadata().getName())
              .get();
      if (set != null && deletesClaims(set)) {
        left.add("StatefulSet " + set.getMetadata().getName() + " with its claims' policy");
      }
    }
    if (left.isEmpty()) {
      claims.stream()
          .filter(claim -> !claim.getMetadata().getOwnerReferences().isEmpty())
          .forEach(
              claim -> {
                patch(claim, "{\"metadata\":{\"ownerReferences\":null}}", client);
                left.add("the owner of PersistentVolumeClaim " + claim.getMetadata().getName());
              });
    }
    return left;
  }

  /** First the stores: their passes copy the routes to the claims. */
  private static List<String> equalRoutes(
      ControlPlane controlPlane,
      Collection<StoreShard> shards,
      List<PersistentVolumeClaim> claims,
      KubernetesClient client) {
    List<HasMetadata> recorded = new ArrayList<>();
    shards.stream()
        .filter(shard -> shard.getMetadata().getDeletionTimestamp() == null)
        .forEach(recorded::add);
    recorded.addAll(claims);
    List<HasMetadata> stale = RouteRecords.stale(controlPlane, recorded);
    String routes = Serialization.asJson(RouteRecords.patch(controlPlane));
    stale.forEach(object -> patch(object, routes, client));
    return stale.stream()
        .map(object -> "the routes of " + object.getKind() + " " + object.getMetadata().getName())
        .toList();
  }

  /**
   * Whether data that is to be kept would go with the control plane, because a claim has an owner.
   * The removal does not go on then, however long it takes.
   */
  public static boolean isEndangered(ControlPlane controlPlane, KubernetesClient client) {
    List<PersistentVolumeClaim> claims = RetainedData.claims(controlPlane, client);
    return isKept(controlPlane, claims)
        && claims.stream().anyMatch(claim -> !claim.getMetadata().getOwnerReferences().isEmpty());
  }

  /** From then on no pass of the store makes it the owner of its claim again. */
  private static boolean isSeenToRetain(StoreShard shard) {
    return shard.getSpec().deletion() == StorageDeletion.Retain
        && shard.getStatus() != null
        && Objects.equals(
            shard.getStatus().observedGeneration(), shard.getMetadata().getGeneration());
  }

  /** Whether there is anything to keep: without data there is nothing that keys would open. */
  static boolean isKept(ControlPlane controlPlane, Collection<PersistentVolumeClaim> claims) {
    return StorageSpec.deletion(controlPlane.getSpec().storage()) == StorageDeletion.Retain
        && !claims.isEmpty();
  }

  /** What is to be waited for at the end: claims that go before their control plane. */
  public static List<PersistentVolumeClaim> going(
      ControlPlane controlPlane, KubernetesClient client) {
    List<PersistentVolumeClaim> claims = RetainedData.claims(controlPlane, client);
    return isKept(controlPlane, claims)
        ? List.of()
        : claims.stream().filter(claim -> !claim.hasOwnerReferenceFor(controlPlane)).toList();
  }

  /** What a person is told of data that stays; nothing when none does. */
  public static Optional<String> left(ControlPlane controlPlane, KubernetesClient client) {
    List<PersistentVolumeClaim> claims = RetainedData.claims(controlPlane, client);
    return isKept(controlPlane, claims)
        ? Optional.of(
            Retention.left(
                controlPlane,
                claims.stream().map(claim -> claim.getMetadata().getName()).sorted().toList(),
                RetainedData.secrets(controlPlane, client)))
        : Optional.empty();
  }

  private static boolean deletesClaims(StatefulSet set) {
    return set.getSpec().getPersistentVolumeClaimRetentionPolicy() != null
        && StorageDeletion.Delete.name()
            .equals(set.getSpec().getPersistentVolumeClaimRetentionPolicy().getWhenDeleted())
        && set.getSpec().getVolumeClaimTemplates() != null
        && !set.getSpec().getVolumeClaimTemplates().isEmpty();
  }

  private static String owner(ControlPlane controlPlane) {
    return "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\"}]}}"
        .formatted(
            controlPlane.getApiVersion(),
            controlPlane.getKind(),
            controlPlane.getMetadata().getName(),
            controlPlane.getMetadata().getUid());
  }

  private static void patch(HasMetadata object, String json, KubernetesClient client) {
    client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), json);
  }
}
