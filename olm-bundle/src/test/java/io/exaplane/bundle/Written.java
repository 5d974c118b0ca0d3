// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The Kinds that a reconciler writes, from its role: a console shows objects of them. */
final class Written {
  private static final Set<String> WRITES = Set.of("create", "patch", "update");

  /** Not among the Kinds that the build names, since no dependent of the workflow is one. */
  private static final ObjectNode SECRET =
      Deliverables.YAML.createObjectNode().put("kind", "Secret").put("version", "v1");

  private Written() {}

  /**
   * Adds them to each Kind that the operator owns.
   *
   * @param others Kinds of Kubernetes that the operator's build names
   * @param operator objects with a role for each reconciler
   */
  static void add(ArrayNode owned, JsonNode others, List<ObjectNode> operator) {
    Map<String, JsonNode> byPlural = new TreeMap<>();
    others.forEach(each -> byPlural.put(plural(each), each));
    byPlural.put("secrets", SECRET);
    owned.forEach(each -> byPlural.put(plural(each), each));
    for (JsonNode kind : owned) {
      ArrayNode resources = ((ObjectNode) kind).putArray("resources");
      String role =
          "exaplane-" + kind.get("kind").asText().toLowerCase(Locale.ROOT) + "-cluster-role";
      Set<String> written = written(operator, role);
      written.remove(plural(kind));
      for (String plural : written) {
        if (byPlural.containsKey(plural)) {
          JsonNode found = byPlural.get(plural);
          resources
              .addObject()
              .put("kind", found.get("kind").asText())
              .put("name", "")
              .put("version", found.get("version").asText());
        }
      }
    }
  }

  private static Set<String> written(List<ObjectNode> operator, String role) {
    Set<String> written = new TreeSet<>();
    for (ObjectNode object : operator) {
      if (object.at("/metadata/name").asText().equals(role)) {
        for (JsonNode rule : object.get("rules")) {
          boolean writes = false;
          for (JsonNode verb : rule.get("verbs")) {
            writes |= WRITES.contains(verb.asText());
          }
          for (JsonNode resource : rule.get("resources")) {
            if (writes) {
              written.add(resource.asText());
            }
          }
        }
      }
    }
    return written;
  }

  /** All that are written have regular names. */
  private static String plural(JsonNode kind) {
    return kind.get("kind").asText().toLowerCase(Locale.ROOT) + "s";
  }
}
