// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.sizing.EffectiveControlPlane;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.Ownership;
import io.exaplane.operator.storeshard.claim.ClaimRecord;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether a new control plane can take over what one of its name left. Data and keys belong
 * together: with other keys nodes and tokens are cut off, and with other stores or routes objects
 * vanish. So it takes all of it or nothing, and nothing is issued until a person has decided. Pure.
 */
public final class Takeover {
  private final ControlPlane controlPlane;
  private final StorageSpec storage;
  private final ControlPlaneNames names;
  private final Map<String, PersistentVolumeClaim> claims;
  private final Collection<Secret> secrets;

  /**
   * Of a control plane that was not made yet.
   *
   * @param claims that carry its name as a label
   * @param secrets of its long-lived ones those that are there
   */
  public Takeover(
      EffectiveControlPlane effective,
      Collection<PersistentVolumeClaim> claims,
      Collection<Secret> secrets) {
    this.controlPlane = effective.asked();
    this.storage = effective.spec().storage();
    this.names = new ControlPlaneNames(controlPlane);
    this.claims =
        claims.stream()
            .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
            .filter(claim -> !isOwn(claim))
            .collect(Collectors.toMap(c -> c.getMetadata().getName(), Function.identity()));
    this.secrets = secrets;
  }

  private boolean isOwn(PersistentVolumeClaim claim) {
    return controlPlane
        .getMetadata()
        .getUid()
        .equals(annotation(claim, ControlPlaneNames.CONTROL_PLANE_UID));
  }

  /** What stands against it, and both ways out; nothing when there is nothing to take over. */
  public Optional<Problem> problem() {
    if (secrets.stream().anyMatch(secret -> Ownership.isOfAnother(secret, controlPlane))) {
      // They go with their owner in a moment; until then nobody reads or writes them.
      return Optional.empty();
    }
    if (claims.isEmpty()) {
      return secrets.stream()
          .map(secret -> Ownership.retainedFrom(secret, controlPlane))
          .flatMap(Optional::stream)
          .findFirst()
          .map(this::withoutData);
    }
    Set<String> missing =
        new TreeSet<>(names.longLivedSecrets(controlPlane.getSpec().encryption() != null));
    secrets.forEach(secret -> missing.remove(secret.getMetadata().getName()));
    return missing.isEmpty() ? otherStores() : Optional.of(withoutCertificates(missing));
  }

  private Problem withoutData(String uid) {
    return new Problem(
        Reason.CertificatesWithoutData,
        "The Secrets with the CAs of the deleted ControlPlane %s with UID %s exist, but the claims with its data are missing, so the operator creates nothing. Restore the claims with the label %s=%s. Or start with an empty cluster: '%s'."
            .formatted(
                controlPlane.getMetadata().getName(),
                uid,
                ControlPlaneNames.CONTROL_PLANE_LABEL,
                controlPlane.getMetadata().getName(),
                Retention.deleteSecrets(controlPlane, secrets)));
  }

  private Problem withoutCertificates(Set<String> missing) {
    if (missing.equals(Set.of(names.encryptionKey()))) {
      return new Problem(
          Reason.DataWithoutCertificates,
          "The data of %s exists in %s, but Secret %s is missing. A new key would not read what the earlier one encrypted, so the operator creates nothing. Restore the Secret from your backup, with its labels. If nothing of that data was encrypted, remove spec.encryption, and add it again when the control plane is Available. Or delete the data and start again: '%s'."
              .formatted(
                  whose(),
                  String.join(", ", new TreeSet<>(claims.keySet())),
                  names.encryptionKey(),
                  Retention.startAnew(controlPlane, secrets)));
    }
    return new Problem(
        Reason.DataWithoutCertificates,
        "The data of %s exists in %s, but Secret %s is missing. New keys would cut off its nodes and tokens, so the operator creates nothing. Restore the Secret from your backup, with its labels. Or delete the data and start again: '%s'."
            .formatted(
                whose(),
                String.join(", ", new TreeSet<>(claims.keySet())),
                String.join(", ", missing),
                Retention.startAnew(controlPlane, secrets)));
  }

  private Optional<Problem> otherStores() {
    Set<String> unused = new TreeSet<>(claims.keySet());
    Set<String> lacking = new TreeSet<>();
    for (StoreTemplate store : StorageSpec.stores(storage)) {
      String claim = ClaimRecord.claim(names.shard(store.name()));
      if (VolumeSpec.type(store.storage(), store.effectiveCriticality()).outlivesPod()) {
        unused.remove(claim);
        boolean critical = store.effectiveCriticality() == Criticality.Critical;
        if (critical && !claims.containsKey(claim)) {
          lacking.add(claim);
        }
      }
    }
    boolean sameRoutes =
        claims.values().stream()
            .map(claim -> annotation(claim, StoreNames.ROUTES_ANNOTATION))
            .allMatch(routes -> routes == null || StorePlan.isSame(routes, storage));
    if (!unused.isEmpty()) {
      return Optional.of(other("no store of spec.storage has " + String.join(", ", unused)));
    }
    if (!lacking.isEmpty()) {
      return Optional.of(other(String.join(", ", lacking) + " is missing"));
    }
    return sameRoutes
        ? Optional.empty()
        : Optional.of(
            other(
                "spec.storage.routes differs from the claims' annotation "
                    + StoreNames.ROUTES_ANNOTATION));
  }

  private Problem other(String difference) {
    return new Problem(
        Reason.DataOfOtherStores,
        "The data of %s does not fit the stores of this ControlPlane: %s. Objects would vanish, so the operator creates nothing. Delete this ControlPlane and create it again with its earlier stores and routes. Or start with an empty cluster: '%s'."
            .formatted(whose(), difference, Retention.startAnew(controlPlane, secrets)));
  }

  private String whose() {
    return "the deleted ControlPlane %s with UID %s"
        .formatted(
            controlPlane.getMetadata().getName(),
            claims.values().stream()
                .map(claim -> annotation(claim, ControlPlaneNames.CONTROL_PLANE_UID))
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse("unknown"));
  }

  private static String annotation(PersistentVolumeClaim claim, String key) {
    return claim.getMetadata().getAnnotations() == null
        ? null
        : claim.getMetadata().getAnnotations().get(key);
  }
}
