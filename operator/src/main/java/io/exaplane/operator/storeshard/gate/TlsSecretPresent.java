// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.pki.SecretUse;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The Secret with the store's certificate is there, is the store's, and has its three files. */
public final class TlsSecretPresent {
  private static final Set<String> FILES = Set.of("tls.crt", "tls.key", "ca.crt");

  private TlsSecretPresent() {}

  /** Whether the Secret is there and the store's, as the cache has it. */
  public static boolean isPresent(StoreShard shard, Context<StoreShard> context) {
    Optional<Secret> secret = context.getSecondaryResource(Secret.class);
    return secret
            .filter(TlsSecretPresent::isWhole)
            .filter(found -> !isToBeTakenOver(shard, found))
            .isPresent()
        && objection(shard, context).isEmpty();
  }

  private static boolean isWhole(Secret secret) {
    return secret.getData() != null && secret.getData().keySet().containsAll(FILES);
  }

  /** Why the Secret that is there is not the store's. */
  public static Optional<String> objection(StoreShard shard, Context<StoreShard> context) {
    return context
        .getSecondaryResource(Secret.class)
        .flatMap(secret -> objection(shard, secret, OwnSet.of(shard, context)));
  }

  /**
   * Why a Secret of the right name is not the store's. One of a control plane of the same name that
   * was removed a moment ago is there still, and would start the store before anybody has looked
   * whether it may take over what is on its volume. Pure.
   *
   * @param existing the store's StatefulSet as it is, if it is
   */
  static Optional<String> objection(
      StoreShard shard, Secret secret, Optional<StatefulSet> existing) {
    Optional<String> controlPlane = StoreNames.controlPlaneUid(shard);
    if (controlPlane.isPresent() && controlPlane.equals(StoreNames.controlPlaneUid(secret))) {
      return Objects.equals(store(shard), store(secret))
          ? Optional.empty()
          : Optional.of("is not this store's, but another's of the same ControlPlane");
    }
    if (isToBeTakenOver(shard, secret)) {
      return Optional.empty();
    }
    boolean hasIt = existing.filter(set -> mounts(set, secret)).isPresent();
    return SecretUse.objection(secret, shard, StoreNames.SHARD_LABEL, hasIt);
  }

  /**
   * Whether it is from a backup, of this store of a control plane of this name, and has no owner or
   * one that is no more: the control plane takes it over, or the garbage collector takes it away.
   * Until then it is as if it were not there. Pure.
   */
  static boolean isToBeTakenOver(StoreShard shard, Secret secret) {
    Optional<OwnerReference> owner = controlPlane(shard);
    String name = label(shard, ControlPlaneNames.CONTROL_PLANE_LABEL);
    return owner.isPresent()
        && name != null
        && store(shard) != null
        && name.equals(label(secret, ControlPlaneNames.CONTROL_PLANE_LABEL))
        && store(shard).equals(store(secret))
        && secret.getMetadata().getOwnerReferences().stream()
            .allMatch(reference -> wasOf(reference, owner.get()));
  }

  private static Optional<OwnerReference> controlPlane(StoreShard shard) {
    return shard.getMetadata().getOwnerReferences().stream()
        .filter(reference -> reference.getApiVersion().startsWith(Names.GROUP + "/"))
        .filter(reference -> "ControlPlane".equals(reference.getKind()))
        .findFirst();
  }

  /** Whether it is to an owner of the same kind and name, with another UID. */
  private static boolean wasOf(OwnerReference reference, OwnerReference owner) {
    return reference.getApiVersion().startsWith(Names.GROUP + "/")
        && owner.getKind().equals(reference.getKind())
        && Objects.equals(owner.getName(), reference.getName())
        && !Objects.equals(owner.getUid(), reference.getUid());
  }

  private static String store(HasMetadata object) {
    return label(object, ControlPlaneNames.STORE_LABEL);
  }

  private static String label(HasMetadata object, String key) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? null : labels.get(key);
  }

  private static boolean mounts(StatefulSet set, Secret secret) {
    return set.getSpec().getTemplate().getSpec().getVolumes().stream()
        .filter(volume -> volume.getSecret() != null)
        .anyMatch(
            volume -> volume.getSecret().getSecretName().equals(secret.getMetadata().getName()));
  }
}
