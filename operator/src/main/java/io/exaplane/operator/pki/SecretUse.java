// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether an object of ours may have a Secret that its spec names. Its pods can be of an image of
 * its author's, so a Secret of another's must not get there because somebody wrote its name. Pure.
 */
public final class SecretUse {
  private static final String POOL_LABEL = "exaplane.io/scheduler-pool";

  private SecretUse() {}

  /**
   * Why a Secret that a person made is not given; empty when it is.
   *
   * @param useLabel whose value names the object that the Secret is for
   * @param hasIt whether the object has it already, from before the label was asked for
   */
  public static Optional<String> objection(
      Secret secret, HasMetadata user, String useLabel, boolean hasIt) {
    Optional<OwnerReference> owner = owner(secret);
    if (owner.isPresent()) {
      return Optional.of(
          "belongs to %s %s".formatted(owner.get().getKind(), owner.get().getName()));
    }
    Map<String, String> labels =
        Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    Optional<String> ofAnother =
        Optional.ofNullable(labels.get(ControlPlaneNames.CONTROL_PLANE_LABEL))
            .map("ControlPlane %s"::formatted)
            .or(
                () ->
                    useLabel.equals(POOL_LABEL)
                        ? Optional.empty()
                        : Optional.ofNullable(labels.get(POOL_LABEL))
                            .map("SchedulerPool %s"::formatted));
    if (ofAnother.isPresent()) {
      return Optional.of("belongs to " + ofAnother.get());
    }
    String name = user.getMetadata().getName();
    String isFor = labels.get(useLabel);
    return name.equals(isFor) || isFor == null && hasIt
        ? Optional.empty()
        : Optional.of("does not have the label %s: %s".formatted(useLabel, name));
  }

  /** The object of ours that a Secret goes with, if it goes with one. */
  public static Optional<OwnerReference> owner(Secret secret) {
    return secret.getMetadata().getOwnerReferences().stream()
        .filter(reference -> reference.getApiVersion().startsWith(Names.GROUP + "/"))
        .findFirst();
  }
}
