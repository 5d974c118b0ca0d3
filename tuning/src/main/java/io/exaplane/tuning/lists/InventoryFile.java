// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.tuning.lists.Inventory.Resource;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * An inventory as somebody writes it: {@code {"pods": {"objects": 1000, "bytes": 4000,
 * "namespaces": {"default": 10}}}}; bytes and namespaces may be left out.
 */
public final class InventoryFile {
  private static final Set<String> FIELDS = Set.of("objects", "bytes", "namespaces");

  private InventoryFile() {}

  /**
   * Reads it over another, whose resources stay where it has none of that name.
   *
   * @throws InvalidInputException if a field can't be
   */
  public static Inventory read(JsonNode file, Inventory base) {
    if (!file.isObject()) {
      throw new InvalidInputException(
          "inventory", file.toString(), "must be an object", "write one resource a line");
    }
    Map<String, Resource> resources = new HashMap<>(base.resources());
    double nodes = base.nodes();
    for (var entry : file.properties()) {
      Resource resource = resource(entry.getKey(), entry.getValue(), base);
      resources.put(entry.getKey(), resource);
      if (entry.getKey().equals("nodes")) {
        nodes = resource.objects();
      }
    }
    return new Inventory(resources, nodes);
  }

  private static Resource resource(String name, JsonNode node, Inventory base) {
    if (!node.isObject()) {
      throw new InvalidInputException(
          "inventory." + name,
          node.toString(),
          "must be an object",
          "write the value as {objects: 1000}");
    }
    for (var field : node.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new InvalidInputException(
            "inventory." + name,
            field.getKey(),
            "is not a known field",
            "use objects, bytes, namespaces");
      }
    }
    Map<String, Double> namespaces = new HashMap<>();
    for (var namespace : node.path("namespaces").properties()) {
      namespaces.put(namespace.getKey(), count(name + ".namespaces", namespace.getValue()));
    }
    double told = namespaces.values().stream().mapToDouble(Double::doubleValue).sum();
    Resource before = base.resource(name);
    double objects =
        node.has("objects")
            ? count(name + ".objects", node.get("objects"))
            : Math.max(told, before.objects());
    double bytes = node.has("bytes") ? count(name + ".bytes", node.get("bytes")) : before.bytes();
    return new Resource(objects, bytes, Map.copyOf(namespaces));
  }

  private static double count(String field, JsonNode value) {
    if (!value.isNumber() || value.asDouble() < 0) {
      throw new InvalidInputException(
          "inventory." + field,
          value.toString(),
          "must be a number from 0",
          "count the objects again");
    }
    return value.asDouble();
  }
}
