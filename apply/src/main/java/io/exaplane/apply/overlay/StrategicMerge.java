// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Strategic merge patches as kustomize merges them: maps are merged, {@code null} removes a field,
 * lists with a known key are merged by that key with the patch's elements first, and other lists
 * are replaced. Kinds that Kubernetes does not know have no lists with keys. One thread.
 */
final class StrategicMerge {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE = "delete";
  private static final String REPLACE = "replace";
  private static final String MERGE = "merge";
  private static final String PROTOCOL = "protocol";

  /** Each element of a patch is compared with each of the list, which may have 100,000. */
  private static final long MOST_COMPARISONS = 4_000_000;

  private static final Map<String, List<String>> KEYS =
      Map.ofEntries(
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("ephemeralContainers", List.of("name")),
          Map.entry("volumes", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable")),
          Map.entry("resourceClaims", List.of("name")),
          Map.entry("schedulingGates", List.of("name")),
          Map.entry("webhooks", List.of("name")),
          Map.entry("matchConditions", List.of("name")),
          Map.entry("ownerReferences", List.of("uid")));

  private final Item item;
  private final String at;

  private StrategicMerge(Item item, String at) {
    this.item = item;
    this.at = at;
  }

  /**
   * Merges a patch into an object.
   *
   * @param item the object, which changes
   * @param patch the patch, without names
   * @param at where it stands, for messages
   * @return false if the patch deletes the object
   */
  static boolean into(Item item, ObjectNode patch, String at) throws OverlayException {
    StrategicMerge merge = new StrategicMerge(item, at);
    String directive = merge.directive(patch);
    if (directive.equals(DELETE)) {
      return false;
    }
    if (directive.equals(REPLACE)) {
      throw new OverlayException(
          at, REPLACE, "would take the object's name", "replace spec or another field of it");
    }
    merge.map(item.object, patch, "", "");
    return true;
  }

  private String directive(JsonNode map) throws OverlayException {
    String directive = map.path(DIRECTIVE).asText("");
    if (!List.of("", DELETE, REPLACE, MERGE).contains(directive)) {
      throw new OverlayException(
          at, directive, "is no directive of $patch", "write replace, delete or merge");
    }
    return directive;
  }

  private void map(ObjectNode into, ObjectNode patch, String field, String parent)
      throws OverlayException {
    if (directive(patch).equals(REPLACE)) {
      into.removeAll();
    }
    for (Map.Entry<String, JsonNode> one : patch.properties()) {
      String name = one.getKey();
      JsonNode value = one.getValue();
      if (name.equals(DIRECTIVE)) {
        continue;
      }
      if (name.startsWith("$")) {
        throw new OverlayException(
            at, name, "is no directive that Exaplane knows", "write $patch instead");
      }
      if (value.isNull()) {
        into.remove(name);
      } else if (value instanceof ObjectNode child) {
        child(into, name, child, field);
      } else if (value instanceof ArrayNode list) {
        list(into, name, list, field, parent);
      } else {
        into.set(name, value);
      }
    }
  }

  private void child(ObjectNode into, String name, ObjectNode patch, String field)
      throws OverlayException {
    if (directive(patch).equals(DELETE)) {
      into.remove(name);
      return;
    }
    ObjectNode own = into.path(name) instanceof ObjectNode there ? there : into.objectNode();
    map(own, patch, name, field);
    into.set(name, own);
  }

  /** Lists: merged by key, united, or replaced. */
  private void list(ObjectNode into, String name, ArrayNode patch, String field, String parent)
      throws OverlayException {
    List<ObjectNode> directed = new ArrayList<>();
    ArrayNode plain = into.arrayNode();
    boolean isReplacing = false;
    for (JsonNode one : patch) {
      String directive = one.isObject() ? directive(one) : "";
      if (directive.equals(REPLACE) && one.size() == 1) {
        isReplacing = true;
      } else if (directive.equals(DELETE)) {
        directed.add((ObjectNode) one);
      } else {
        plain.add(one);
      }
    }
    JsonNode there = into.path(name);
    if (name.equals("finalizers") && field.equals("metadata") && there.isArray()) {
      Set<JsonNode> known = new LinkedHashSet<>();
      plain.forEach(known::add);
      there.forEach(known::add);
      into.set(name, into.arrayNode().addAll(known));
      return;
    }
    List<String> keys = keys(name, field, parent);
    if (isReplacing || keys.isEmpty() || !there.isArray()) {
      if (!directed.isEmpty() && keys.isEmpty()) {
        throw new OverlayException(
            at, name, "has no key by which an element is deleted", "write the whole list");
      }
      into.set(name, stripped(plain, name, field));
      return;
    }
    into.set(name, merged((ArrayNode) there, plain, directed, keys, name, field));
  }

  /** New elements: nothing that only tells how to merge. */
  private ArrayNode stripped(ArrayNode list, String name, String field) throws OverlayException {
    ArrayNode own = list.arrayNode();
    for (JsonNode one : list) {
      if (one instanceof ObjectNode map) {
        ObjectNode copy = list.objectNode();
        map(copy, map, name, field);
        own.add(copy);
      } else {
        own.add(one);
      }
    }
    return own;
  }

  private ArrayNode merged(
      ArrayNode there,
      ArrayNode patch,
      List<ObjectNode> deleted,
      List<String> keys,
      String name,
      String field)
      throws OverlayException {
    long comparisons = (long) there.size() * (patch.size() + deleted.size());
    if (comparisons > MOST_COMPARISONS) {
      throw new OverlayException(
          at,
          name,
          "merges %d elements into %d, which takes too long"
              .formatted(patch.size() + deleted.size(), there.size()),
          "write the whole list with $patch: replace");
    }
    List<JsonNode> left = new ArrayList<>();
    there.forEach(left::add);
    for (ObjectNode one : deleted) {
      left.removeIf(old -> isSame(old, one, keys));
    }
    ArrayNode result = there.arrayNode();
    for (JsonNode one : patch) {
      if (!(one instanceof ObjectNode map) || !map.has(keys.getFirst())) {
        throw new OverlayException(
            at,
            name,
            "has an element without " + keys.getFirst(),
            "write %s in each element".formatted(keys.getFirst()));
      }
      ObjectNode own = there.objectNode();
      for (JsonNode old : left) {
        if (old instanceof ObjectNode found && isSame(old, map, keys)) {
          own = found;
          break;
        }
      }
      ObjectNode taken = own;
      left.removeIf(old -> old == taken);
      map(own, map, name, field);
      result.add(own);
    }
    left.forEach(result::add);
    return result;
  }

  private static boolean isSame(JsonNode old, JsonNode patch, List<String> keys) {
    for (String key : keys) {
      if (patch.has(key)) {
        String standing = key.equals(PROTOCOL) ? "TCP" : "";
        if (!old.path(key).asText(standing).equals(patch.path(key).asText())) {
          return false;
        }
      }
    }
    return true;
  }

  private List<String> keys(String name, String field, String parent) {
    if (!Scopes.isBuiltIn(item.gvk)) {
      return name.equals("ownerReferences") ? KEYS.get(name) : List.of();
    }
    String kind = item.gvk.kind();
    if (name.equals("ports")) {
      if (field.equals("containers") || field.equals("initContainers")) {
        return List.of("containerPort", PROTOCOL);
      }
      return kind.equals("Service") && field.equals("spec") && parent.isEmpty()
          ? List.of("port", PROTOCOL)
          : List.of();
    }
    if (name.equals("secrets")) {
      return kind.equals("ServiceAccount") ? List.of("name") : List.of();
    }
    return KEYS.getOrDefault(name, List.of());
  }
}
