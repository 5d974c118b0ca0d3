// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageDeletion;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Data and keys that outlive a control plane, as the management API has them: looked for while one
 * is made, and when one is removed. Keeps nothing.
 */
public final class RetainedData {
  private RetainedData() {}

  /**
   * Whether keys are to outlive a control plane: when its data does. With stores that are all
   * EmptyDirs there is nothing that they would open.
   */
  public static boolean isKept(StorageSpec storage) {
    return StorageSpec.deletion(storage) == StorageDeletion.Retain
        && StorageSpec.stores(storage).stream()
            .anyMatch(
                store ->
                    VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod());
  }

  /** The routes by which the claims were written that a control plane of this name left. */
  public static Optional<String> routes(ControlPlane controlPlane, KubernetesClient client) {
    return claims(controlPlane, client).stream()
        .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
        .map(claim -> claim.getMetadata().getAnnotations())
        .filter(Objects::nonNull)
        .map(annotations -> annotations.get(StoreNames.ROUTES_ANNOTATION))
        .filter(Objects::nonNull)
        .sorted()
        .findFirst();
  }

  /** What stands against taking over what is there, for one that was not made yet. */
  public static Optional<Problem> problem(
      EffectiveControlPlane effective, KubernetesClient client) {
    ControlPlane controlPlane = effective.asked();
    List<Secret> secrets = secrets(controlPlane, client);
    return new Takeover(effective, claims(controlPlane, client), secrets)
        .problem()
        .or(() -> KeysRecord.problem(controlPlane, secrets));
  }

  /** Claims that carry a control plane's name. */
  public static List<PersistentVolumeClaim> claims(
      ControlPlane controlPlane, KubernetesClient client) {
    return client
        .persistentVolumeClaims()
        .inNamespace(controlPlane.getMetadata().getNamespace())
        .withLabel(ControlPlaneNames.CONTROL_PLANE_LABEL, controlPlane.getMetadata().getName())
        .list()
        .getItems();
  }

  /** Of the long-lived Secrets of a control plane those that are there, whosever they are. */
  public static List<Secret> secrets(ControlPlane controlPlane, KubernetesClient client) {
    return new ControlPlaneNames(controlPlane)
        .longLivedSecrets(true).stream()
            .map(
                name ->
                    client
                        .secrets()
                        .inNamespace(controlPlane.getMetadata().getNamespace())
                        .withName(name)
                        .get())
            .filter(Objects::nonNull)
            .toList();
  }
}
