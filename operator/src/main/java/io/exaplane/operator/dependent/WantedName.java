// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether an object that is to be made may be made when there is one of its name. Server-side apply
 * would take it over without a word. Keeps nothing.
 */
public final class WantedName {
  private WantedName() {}

  /**
   * Looks whether the name is free, or what has it is the owner's.
   *
   * @throws IllegalStateException if it is not, with the next action
   */
  static void check(HasMetadata desired, HasMetadata owner, KubernetesClient client) {
    Optional<String> objection =
        Optional.ofNullable(client.resource(desired).get())
            .flatMap(existing -> objection(existing, desired, owner));
    if (objection.isPresent()) {
      throw new IllegalStateException(objection.get());
    }
  }

  /**
   * Why an object that is there is not made the owner's; empty when it is. One without a controller
   * that has all labels of the wanted one is from a backup of it. Pure.
   */
  public static Optional<String> objection(
      HasMetadata existing, HasMetadata desired, HasMetadata owner) {
    Map<String, String> has =
        Objects.requireNonNullElse(existing.getMetadata().getLabels(), Map.of());
    Map<String, String> wanted =
        Objects.requireNonNullElse(desired.getMetadata().getLabels(), Map.of());
    Optional<OwnerReference> controller =
        existing.getMetadata().getOwnerReferences().stream()
            .filter(reference -> Boolean.TRUE.equals(reference.getController()))
            .findFirst();
    boolean fromBackup =
        controller.isEmpty() && !wanted.isEmpty() && has.entrySet().containsAll(wanted.entrySet());
    if (existing.hasOwnerReferenceFor(owner) || fromBackup) {
      return Optional.empty();
    }
    String object = existing.getKind() + " " + existing.getMetadata().getName();
    if (controller.filter(reference -> isNamesake(reference, owner)).isPresent()) {
      return Optional.of(
          "%s goes with the %s of the same name that was removed before. No action is needed: a new one is made when it is gone"
              .formatted(object, owner.getKind()));
    }
    String whose =
        controller
            .map(
                reference -> "belongs to %s %s".formatted(reference.getKind(), reference.getName()))
            .orElse("is not this %s's".formatted(owner.getKind()));
    return Optional.of(
        "%s is there already and %s; nothing was changed on it. Delete it if nobody needs it, or give the %s another name"
            .formatted(object, whose, owner.getKind()));
  }

  private static boolean isNamesake(OwnerReference reference, HasMetadata owner) {
    return owner.getKind().equals(reference.getKind())
        && owner.getMetadata().getName().equals(reference.getName());
  }
}
