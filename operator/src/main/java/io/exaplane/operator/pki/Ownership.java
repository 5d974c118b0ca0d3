// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Whose a Secret is: always by UID. One that goes with its owner has an owner reference; one that
 * is to outlive its owner has none, since the garbage collector would be quicker than anybody who
 * takes it off, and says by an annotation whose it is. Pure.
 */
public final class Ownership {
  private Ownership() {}

  /** Whether a Secret is this owner's. */
  public static boolean isOf(Secret secret, HasMetadata owner) {
    return isOf(secret, owner.getMetadata().getUid());
  }

  /** Whether a Secret is that of the owner with this UID. */
  public static boolean isOf(Secret secret, String uid) {
    return secret.getMetadata().getOwnerReferences().stream()
            .anyMatch(reference -> reference.getUid().equals(uid))
        || (!isControlled(secret) && uid.equals(recorded(secret)));
  }

  /** Whether it goes with another owner, of the same name, that is being removed. */
  public static boolean isOfAnother(Secret secret, HasMetadata owner) {
    return isControlled(secret) && !secret.hasOwnerReferenceFor(owner);
  }

  /**
   * Whether a Secret of a wanted name may be made the owner's: its own, one that an owner of the
   * same name left, or one of a backup, which says by its labels whose it is. What says nothing, or
   * belongs to somebody else of whose names this is one, too, may not.
   */
  public static boolean mayBecome(Secret secret, HasMetadata owner, Map<String, String> labels) {
    Map<String, String> has =
        Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return isOf(secret, owner)
        || !isControlled(secret) && has.entrySet().containsAll(labels.entrySet());
  }

  /** Whether it says of nobody that it is theirs, as one that a person made. */
  public static boolean isNobodys(Secret secret) {
    Map<String, String> labels = secret.getMetadata().getLabels();
    return !isControlled(secret)
        && recorded(secret) == null
        && (labels == null || !labels.containsKey(ControlPlaneNames.CONTROL_PLANE_LABEL));
  }

  /** Whether the owner that it goes with had this owner's kind and name, and is being removed. */
  public static boolean isOfPredecessor(Secret secret, HasMetadata owner) {
    return isOfAnother(secret, owner)
        && secret.getMetadata().getOwnerReferences().stream()
            .filter(reference -> Boolean.TRUE.equals(reference.getController()))
            .allMatch(
                reference ->
                    owner.getKind().equals(reference.getKind())
                        && owner.getMetadata().getName().equals(reference.getName()));
  }

  /** The UID of the owner that it outlived; none of one that a person made. */
  public static Optional<String> retainedFrom(Secret secret, HasMetadata owner) {
    return isControlled(secret)
        ? Optional.empty()
        : Optional.ofNullable(recorded(secret))
            .filter(uid -> !uid.equals(owner.getMetadata().getUid()));
  }

  /** The UID of the owner from whom this one took it over. */
  public static Optional<String> takenOverFrom(Secret secret) {
    return annotation(secret, ControlPlaneNames.TAKEN_OVER_FROM);
  }

  /**
   * Whether nothing is to be written on it.
   *
   * @param retained whether it is to outlive its owner
   */
  public static boolean isWritten(
      Secret secret, HasMetadata owner, Map<String, String> labels, boolean retained) {
    Map<String, String> has =
        Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return secret.hasOwnerReferenceFor(owner) != retained
        && owner.getMetadata().getUid().equals(recorded(secret))
        && has.entrySet().containsAll(labels.entrySet())
        && has.containsKey(ControlPlaneNames.RETAINED_LABEL)
            == labels.containsKey(ControlPlaneNames.RETAINED_LABEL);
  }

  /** A JSON merge patch that makes it this owner's, and leaves the rest of it alone. */
  public static String patch(
      Secret secret, HasMetadata owner, Map<String, String> labels, boolean retained) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    ObjectNode newLabels = metadata.putObject("labels");
    newLabels.putNull(ControlPlaneNames.RETAINED_LABEL);
    labels.forEach(newLabels::put);
    ObjectNode annotations = metadata.putObject("annotations");
    annotations.put(ControlPlaneNames.CONTROL_PLANE_UID, owner.getMetadata().getUid());
    retainedFrom(secret, owner)
        .ifPresent(uid -> annotations.put(ControlPlaneNames.TAKEN_OVER_FROM, uid));
    List<OwnerReference> others =
        secret.getMetadata().getOwnerReferences().stream()
            .filter(reference -> !reference.getUid().equals(owner.getMetadata().getUid()))
            .toList();
    if (retained && others.isEmpty()) {
      metadata.putNull("ownerReferences");
      return patch.toString();
    }
    var references = metadata.putArray("ownerReferences");
    others.forEach(reference -> add(references.addObject(), reference));
    if (!retained) {
      add(references.addObject(), SecretStore.reference(owner));
    }
    return patch.toString();
  }

  private static void add(ObjectNode node, OwnerReference reference) {
    node.put("apiVersion", reference.getApiVersion());
    node.put("kind", reference.getKind());
    node.put("name", reference.getName());
    node.put("uid", reference.getUid());
    if (reference.getController() != null) {
      node.put("controller", reference.getController());
    }
    if (reference.getBlockOwnerDeletion() != null) {
      node.put("blockOwnerDeletion", reference.getBlockOwnerDeletion());
    }
  }

  private static boolean isControlled(Secret secret) {
    return secret.getMetadata().getOwnerReferences().stream()
        .anyMatch(reference -> Boolean.TRUE.equals(reference.getController()));
  }

  private static String recorded(Secret secret) {
    return annotation(secret, ControlPlaneNames.CONTROL_PLANE_UID).orElse(null);
  }

  private static Optional<String> annotation(Secret secret, String key) {
    return Optional.ofNullable(secret.getMetadata().getAnnotations()).map(all -> all.get(key));
  }
}
