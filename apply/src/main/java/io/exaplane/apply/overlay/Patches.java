// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Carries out the patches of one overlay. Pure. */
final class Patches {
  private Patches() {}

  /**
   * Applies one patch.
   *
   * @param items the objects, of which some change or go
   * @param patch what the overlay says
   * @param text the patch's text
   * @param room for what the patch writes, in each object
   */
  static void apply(List<Item> items, Kustomization.Patch patch, String text, Room room)
      throws OverlayException {
    String at = patch.file().isEmpty() ? patch.at() : patch.at() + " (" + patch.file() + ")";
    Values.Content content = Values.read(patch.file(), text);
    if (!content.problems().isEmpty()) {
      Problem first = content.problems().getFirst();
      throw new OverlayException(
          at, "line " + first.source().line(), first.message(), "correct the patch");
    }
    if (content.values().isEmpty()) {
      throw new OverlayException(at, "", "holds no patch", "write the patch, or remove the entry");
    }
    for (Values.Value one : content.values()) {
      if (one.value() instanceof ArrayNode operations) {
        json(items, patch, operations, at, room);
      } else if (one.value() instanceof ObjectNode map) {
        strategic(items, patch, map, at, room);
      } else {
        throw new OverlayException(
            at, Fields.shown(one.value()), "is no patch", "write a map, or a list of operations");
      }
    }
  }

  private static void json(
      List<Item> items, Kustomization.Patch patch, ArrayNode operations, String at, Room room)
      throws OverlayException {
    if (patch.target() == null) {
      throw new OverlayException(
          at, "", "is a list of operations without a target", "write target with kind and name");
    }
    List<Item> chosen = chosen(items, patch.target()::fits, at);
    room.take(at, Room.of(operations), chosen.size());
    for (Item item : chosen) {
      ObjectNode patched = JsonPatches.apply(item.object, operations, at, room);
      for (String field : List.of("apiVersion", "kind")) {
        requireSame(item, at, field, item.object.path(field), patched.path(field));
      }
      for (String field : List.of("name", "namespace")) {
        requireSame(
            item, at, field, item.metadata().path(field), patched.path("metadata").path(field));
      }
      item.object.removeAll();
      item.object.setAll(patched);
    }
  }

  private static void requireSame(Item item, String at, String field, JsonNode old, JsonNode now)
      throws OverlayException {
    if (!Objects.equals(old, now)) {
      throw new OverlayException(
          at,
          field,
          "is changed by a patch of " + item.place(),
          "write namespace, namePrefix or nameSuffix, or another file");
    }
  }

  private static void strategic(
      List<Item> items, Kustomization.Patch patch, ObjectNode map, String at, Room room)
      throws OverlayException {
    Predicate<Item> fits = patch.target() == null ? named(map, at) : patch.target()::fits;
    ObjectNode body = map.deepCopy();
    body.remove(List.of("apiVersion", "kind"));
    if (body.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(List.of("name", "namespace"));
    }
    List<Item> gone = new ArrayList<>();
    List<Item> chosen = chosen(items, fits, at);
    room.take(at, Room.of(body), chosen.size());
    for (Item item : chosen) {
      if (!StrategicMerge.into(item, body.deepCopy(), at)) {
        gone.add(item);
      }
    }
    items.removeAll(gone);
  }

  private static List<Item> chosen(List<Item> items, Predicate<Item> fits, String at)
      throws OverlayException {
    List<Item> chosen = items.stream().filter(fits).toList();
    if (chosen.isEmpty()) {
      throw new OverlayException(
          at, "", "is for no object of the resources", "correct its target or its name");
    }
    return chosen;
  }

  private static Predicate<Item> named(ObjectNode map, String at) throws OverlayException {
    Gvk gvk = Gvk.of(map.path("apiVersion").asText(""), map.path("kind").asText(""));
    String name = map.path("metadata").path("name").asText("");
    String namespace = map.path("metadata").path("namespace").asText("");
    if (gvk.kind().isEmpty() || gvk.version().isEmpty() || name.isEmpty()) {
      throw new OverlayException(
          at, "", "has no target and names no object", "write apiVersion, kind and metadata.name");
    }
    return item ->
        item.gvk.equals(gvk)
            && item.hasId(
                id ->
                    id.name().equals(name)
                        && (namespace.isEmpty() || id.namespace().equals(namespace)));
  }
}
