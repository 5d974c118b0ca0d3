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
import java.util.function.Predicate;

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

  /** Objects by kind and the name that they had when the level began. */
  private final Map<Name, List<Item>> before = new HashMap<>();

  /** The same by the names of earlier levels. */
  private final Map<Name, List<Item>> earlier = new HashMap<>();

  private record Name(String groupKind, String name) {}

  References(List<Item> items) {
    for (Item item : items) {
      String groupKind = item.gvk.groupKind();
      add(before, new Name(groupKind, item.before().name()), item);
      item.earlierNames().forEach(name -> add(earlier, new Name(groupKind, name), item));
    }
  }

  private static void add(Map<Name, List<Item>> to, Name name, Item item) {
    to.computeIfAbsent(name, any -> new ArrayList<>(1)).add(item);
  }

  /** What an object of a kind is called now; the same for an object of others. */
  String name(Item referrer, String groupKind, String name) throws OverlayException {
    String namespace = referrer.id().namespace();
    List<Item> meant =
        meant(
            new Name(groupKind, name),
            item ->
                namespace.isEmpty()
                    || item.id().namespace().isEmpty()
                    || item.id().namespace().equals(namespace));
    Set<String> names = new HashSet<>();
    meant.forEach(item -> names.add(item.name()));
    requireOne(referrer, groupKind, name, names);
    return names.isEmpty() ? name : names.iterator().next();
  }

  /** The same for a map that has both a name and a namespace. */
  void placed(Item referrer, String groupKind, ObjectNode holder) throws OverlayException {
    String name = holder.path("name").asText("");
    String namespace = holder.path("namespace").asText("");
    List<Item> meant =
        meant(new Name(groupKind, name), item -> namespace.isEmpty() || item.isIn(namespace));
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

  /** By the names of this level if one fits, else by earlier ones. */
  private List<Item> meant(Name name, Predicate<Item> fits) {
    List<Item> found = before.getOrDefault(name, List.of()).stream().filter(fits).toList();
    return found.isEmpty()
        ? earlier.getOrDefault(name, List.of()).stream().filter(fits).toList()
        : found;
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
