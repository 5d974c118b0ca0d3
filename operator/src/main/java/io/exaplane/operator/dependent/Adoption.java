// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Objects that are there before their owner knows of them: a backup tool put them back without
 * owner references. One whose labels prove it the owner's is taken over as it is, and brought up to
 * date by the next look; one of somebody else's is left alone, with words. Thread-safe: keeps
 * nothing.
 */
public final class Adoption {
  private static final Logger LOG = Logger.getLogger(Adoption.class);

  /** What an object that is there is to its owner. */
  enum Verdict {
    OWN,
    RESTORED,
    OF_OTHERS
  }

  private Adoption() {}

  /**
   * Makes an object, unless there is one of that name already.
   *
   * @param create makes it, or changes the owner's own
   * @return what is there then
   * @throws NeedsPersonException when an object of somebody else's has the name: says whose, and
   *     what to do
   */
  public static <R extends HasMetadata> R create(
      R desired, HasMetadata owner, KubernetesClient client, UnaryOperator<R> create) {
    return settle(
        desired,
        owner,
        client.resource(desired).get(),
        there ->
            client
                .resource(there)
                .patch(PatchContext.of(PatchType.JSON_MERGE), ownership(there, owner)),
        create);
  }

  /** The same, with what is there, or null, and a way to give it this owner. */
  static <R extends HasMetadata> R settle(
      R desired, HasMetadata owner, R there, Consumer<R> own, UnaryOperator<R> create) {
    if (there == null) {
      return create.apply(desired);
    }
    return switch (judge(there, desired, owner)) {
      case OWN -> create.apply(desired);
      case RESTORED -> {
        LOG.infof(
            "%s %s/%s existed before, without an owner, and has all labels of %s %s: the operator takes it over",
            there.getKind(),
            there.getMetadata().getNamespace(),
            there.getMetadata().getName(),
            owner.getKind(),
            owner.getMetadata().getName());
        own.accept(there);
        // As it was before: so the change comes as an event, and the next look sees it.
        yield there;
      }
      case OF_OTHERS -> throw refusal(there, desired, owner);
    };
  }

  /** Whose an object is. Pure. */
  static Verdict judge(HasMetadata there, HasMetadata desired, HasMetadata owner) {
    if (there.hasOwnerReferenceFor(owner) || there.getMetadata().getDeletionTimestamp() != null) {
      return Verdict.OWN;
    }
    return other(there, owner).isEmpty() && hasLabels(there, desired)
        ? Verdict.RESTORED
        : Verdict.OF_OTHERS;
  }

  /** An owner that is not this one; one of the same name was this one, with another UID. */
  private static Optional<OwnerReference> other(HasMetadata there, HasMetadata owner) {
    return there.getMetadata().getOwnerReferences().stream()
        .filter(reference -> !isNameOf(reference, owner))
        .findFirst();
  }

  /** Whether a reference is to an object of the owner's name that is, or was, there. */
  private static boolean isNameOf(OwnerReference reference, HasMetadata owner) {
    return reference.getKind().equals(owner.getKind())
        && reference.getName().equals(owner.getMetadata().getName())
        && group(reference.getApiVersion()).equals(group(owner.getApiVersion()));
  }

  private static String group(String apiVersion) {
    return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
  }

  private static boolean hasLabels(HasMetadata there, HasMetadata desired) {
    return !labels(desired).isEmpty()
        && labels(there).entrySet().containsAll(labels(desired).entrySet());
  }

  private static Map<String, String> labels(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
  }

  /** A JSON merge patch: the owner in the place of those of its name that are no more. Pure. */
  static String ownership(HasMetadata there, HasMetadata owner) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    // Of what was judged, and of nothing that took its place.
    metadata.put("uid", there.getMetadata().getUid());
    metadata.put("resourceVersion", there.getMetadata().getResourceVersion());
    ArrayNode references = metadata.putArray("ownerReferences");
    ObjectNode reference = references.addObject();
    reference.put("apiVersion", owner.getApiVersion());
    reference.put("kind", owner.getKind());
    reference.put("name", owner.getMetadata().getName());
    reference.put("uid", owner.getMetadata().getUid());
    return patch.toString();
  }

  private static NeedsPersonException refusal(
      HasMetadata there, HasMetadata desired, HasMetadata owner) {
    String kind = there.getKind();
    String name = there.getMetadata().getName();
    String namespace = there.getMetadata().getNamespace();
    String resource = there.getPlural();
    String why =
        other(there, owner)
            .map(
                reference -> "belongs to %s %s".formatted(reference.getKind(), reference.getName()))
            .orElse(
                "does not have the labels of %s %s"
                    .formatted(owner.getKind(), owner.getMetadata().getName()));
    return new NeedsPersonException(
        "%s %s existed before and %s, so the operator leaves it alone".formatted(kind, name, why),
        "Delete it: 'kubectl -n %s delete %s %s'. Or give it the labels: 'kubectl -n %s label --overwrite %s %s %s'%s."
            .formatted(
                namespace,
                resource,
                name,
                namespace,
                resource,
                name,
                labels(desired).entrySet().stream()
                    .map(Objects::toString)
                    .sorted()
                    .collect(Collectors.joining(" ")),
                other(there, owner).isPresent() ? ", and remove its owner reference" : ""));
  }
}
