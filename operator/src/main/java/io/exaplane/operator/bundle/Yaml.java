// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A tree as text for people, as {@code kubectl diff} shows objects. Pure. */
final class Yaml {
  private Yaml() {}

  /** The text of an object's pinned part. */
  static String of(String name, JsonNode tree) {
    return "# %s\n%s".formatted(name, Trees.yaml(sorted(tree)).replaceFirst("^---\\s*\\n", ""));
  }

  private static Object sorted(JsonNode tree) {
    if (tree.isObject()) {
      Map<String, Object> fields = new TreeMap<>();
      tree.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
      return fields;
    }
    if (tree.isArray()) {
      List<Object> elements = new ArrayList<>();
      tree.forEach(element -> elements.add(sorted(element)));
      return elements;
    }
    return tree.isNumber()
        ? tree.numberValue()
        : tree.isBoolean() ? tree.booleanValue() : tree.asText();
  }
}
