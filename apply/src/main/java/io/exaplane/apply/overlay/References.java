// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which object of a level a name means, after names changed. One thread. */
final class References {
  /** Resources that roles name, by the kind of the objects. */
  private static final Map<String, String> RESOURCES =
      Map.of(
          "configmaps", "ConfigMap",
          "secrets", "Secret",
          "services", "Service",
          "serviceaccounts", "ServiceAccount",
          "persistentvolumes", "PersistentVolume");

  private final Map<String, List<Item>> kinds = new HashMap<>();

  References(List<Item> items) {
    for (Item item : items) {
      kinds.computeIfAbsent(item.gvk.groupKind(), kind -> new ArrayList<>()).add(item);
    }
  }

  /** What an object of a kind is called now; the same for an object of others. */
  String name(Item referrer, String groupKind, String name) throws OverlayException {
    String namespace = referrer.id().namespace();
    List<Item> all =
        kinds.getOrDefault(groupKind, List.of()).stream()
            .filter(
                item ->
                    namespace.isEmpty()
                        || item.id().namespace().isEmpty()
                        || item.id().namespace().equals(namespace))
            .toList();
    List<Item> meant =
        first(
            all.stream().filter(item -> item.before().name().equals(name)),
            all.stream().filter(item -> item.wasCalled(name)));
    Set<String> names = new HashSet<>();
    meant.forEach(item -> names.add(item.name()));
    requireOne(referrer, groupKind, name, names);
    return names.isEmpty() ? name : names.iterator().next();
  }

  /** The same for a map that has both a name and a namespace. */
  void placed(Item referrer, String groupKind, ObjectNode holder) throws OverlayException {
    String name = holder.path("name").asText("");
    String namespace = holder.path("namespace").asText("");
    List<Item> all =
        kinds.getOrDefault(groupKind, List.of()).stream()
            .filter(item -> namespace.isEmpty() || item.isIn(namespace))
            .toList();
    List<Item> meant =
        first(
            all.stream().filter(item -> item.before().name().equals(name)),
            all.stream().filter(item -> item.wasCalled(name)));
    Set<String> names = new HashSet<>();
    meant.forEach(item -> names.add(item.key()));
    requireOne(referrer, groupKind, name, names);
    if (!meant.isEmpty()) {
      Item one = meant.getFirst();
      holder.put("name", one.name());
      String now = one.metadata().path("namespace").asText("");
      if (!now.isEmpty()) {
        holder.put("namespace", now);
      }
    }
  }

  /** A name in a rule of a role. */
  JsonNode resourceName(Item referrer, JsonNode resources, JsonNode name) throws OverlayException {
    String now = name.asText("");
    for (JsonNode resource : resources) {
      String kind = RESOURCES.get(resource.asText(""));
      if (kind != null && name.isTextual()) {
        String found = name(referrer, kind, name.asText());
        if (!found.equals(name.asText())) {
          now = found;
        }
      }
    }
    return name.isTextual() ? TextNode.valueOf(now) : name;
  }

  private static List<Item> first(Stream<Item> best, Stream<Item> others) {
    List<Item> found = best.toList();
    return found.isEmpty() ? others.toList() : found;
  }

  private static void requireOne(Item referrer, String groupKind, String name, Set<String> names)
      throws OverlayException {
    if (names.size() > 1) {
      throw new OverlayException(
          referrer.place(),
          name,
          "means several objects of the kind " + groupKind,
          "give each of these objects another name");
    }
  }
}
