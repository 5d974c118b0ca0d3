// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a way to install gives a cluster, in a form that can be compared: labels and annotations by
 * which a tool knows its own objects again are left out.
 *
 * @param rights each as {@code group/resource verb}, with names if they are limited to some
 * @param deployment the spec of the operator's Deployment, its pods included
 * @param types schemas of the API types by their names
 */
record Installed(
    Set<String> rights, JsonNode deployment, JsonNode budget, Map<String, JsonNode> types) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** The objects of a text in YAML. */
  static List<JsonNode> objects(String yaml) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (var parser = YAML.getFactory().createParser(yaml)) {
      YAML.readerFor(JsonNode.class)
          .<JsonNode>readValues(parser)
          .forEachRemaining(
              object -> {
                if (object.has("kind")) {
                  objects.add(object);
                }
              });
    }
    return objects;
  }

  /** Of manifests. Every role must be bound to the operator's account, and nothing else. */
  static Installed of(String yaml) throws IOException {
    List<JsonNode> objects = objects(yaml);
    Set<String> rights = new TreeSet<>();
    Set<String> bound = new TreeSet<>();
    for (JsonNode object : objects) {
      if (object.get("kind").asText().equals("ClusterRoleBinding")) {
        JsonNode subject = object.at("/subjects/0");
        if (object.get("subjects").size() == 1
            && subject.get("name").asText().equals("exaplane-operator")
            && subject.get("kind").asText().equals("ServiceAccount")) {
          bound.add(object.at("/roleRef/name").asText());
        }
      }
    }
    for (JsonNode object : objects) {
      if (object.has("rules") && bound.contains(object.at("/metadata/name").asText())) {
        addRights(object.get("rules"), rights);
      }
    }
    return new Installed(
        rights,
        comparable(one(objects, "Deployment").get("spec")),
        one(objects, "PodDisruptionBudget").get("spec"),
        types(objects));
  }

  /** Of an OLM bundle: its CSV, and the other files of its folder. */
  static Installed of(JsonNode csv, List<JsonNode> others) {
    Set<String> rights = new TreeSet<>();
    for (JsonNode permission : csv.at("/spec/install/spec/clusterPermissions")) {
      if (permission.get("serviceAccountName").asText().equals("exaplane-operator")) {
        addRights(permission.get("rules"), rights);
      }
    }
    return new Installed(
        rights,
        comparable(csv.at("/spec/install/spec/deployments/0/spec")),
        one(others, "PodDisruptionBudget").get("spec"),
        types(others));
  }

  static JsonNode one(List<JsonNode> objects, String kind) {
    List<JsonNode> found =
        objects.stream().filter(object -> object.get("kind").asText().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " objects of the kind " + kind);
    }
    return found.getFirst();
  }

  private static Map<String, JsonNode> types(List<JsonNode> objects) {
    Map<String, JsonNode> types = new TreeMap<>();
    for (JsonNode object : objects) {
      if (object.get("kind").asText().equals("CustomResourceDefinition")) {
        types.put(object.at("/metadata/name").asText(), plainNumbers(object.get("spec")));
      }
    }
    return types;
  }

  /** Tools write a number as 120 or as 120.0. */
  private static JsonNode plainNumbers(JsonNode node) {
    if (node.isFloatingPointNumber() && node.asDouble() == node.asLong()) {
      return IntNode.valueOf(node.asInt());
    }
    if (node instanceof ObjectNode object) {
      ObjectNode copy = YAML.createObjectNode();
      object.properties().forEach(each -> copy.set(each.getKey(), plainNumbers(each.getValue())));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = YAML.createArrayNode();
      node.forEach(each -> copy.add(plainNumbers(each)));
      return copy;
    }
    return node;
  }

  private static void addRights(JsonNode rules, Set<String> rights) {
    for (JsonNode rule : rules) {
      for (JsonNode group : rule.get("apiGroups")) {
        for (JsonNode resource : rule.get("resources")) {
          for (JsonNode verb : rule.get("verbs")) {
            rights.add(
                "%s/%s %s %s"
                    .formatted(
                        group.asText(),
                        resource.asText(),
                        verb.asText(),
                        rule.path("resourceNames")));
          }
        }
      }
    }
  }

  /** Without the variables by which OLM says which namespaces to watch: all, in every way. */
  private static JsonNode comparable(JsonNode deployment) {
    ObjectNode copy = deployment.deepCopy();
    for (JsonNode container : copy.at("/template/spec/containers")) {
      Map<String, JsonNode> variables = new TreeMap<>();
      for (JsonNode variable : container.get("env")) {
        String name = variable.get("name").asText();
        if (!name.endsWith("_NAMESPACES")) {
          variables.put(name, variable);
        }
      }
      ArrayNode sorted = ((ObjectNode) container).putArray("env");
      variables.values().forEach(sorted::add);
    }
    return copy;
  }
}
