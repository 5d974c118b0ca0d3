// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator's objects, completed from what its build generates. They are the truth of every way
 * to install: namespace, account, roles, bindings, Service, Deployment, PodDisruptionBudget.
 */
final class OperatorObjects {
  static final String NAMESPACE = "exaplane-system";

  /** In the names of all objects of the cluster, which other operators have, too. */
  private static final String PREFIX = "exaplane-";

  private static final Pattern IMAGE_VARIABLE = Pattern.compile("EXAPLANE_([A-Z]+)_IMAGE");

  private static final String NAMESPACE_OBJECT =
      """
      apiVersion: v1
      kind: Namespace
      metadata:
        labels:
          pod-security.kubernetes.io/enforce: restricted
        name: exaplane-system
      """;

  /** A drained node takes one of the operators at a time, and waits for none that is not ready. */
  private static final String DISRUPTION =
      """
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata:
        labels:
          app.kubernetes.io/name: exaplane-operator
        name: exaplane-operator
      spec:
        maxUnavailable: 1
        selector:
          matchLabels:
            app.kubernetes.io/name: exaplane-operator
        unhealthyPodEvictionPolicy: AlwaysAllow
      """;

  private OperatorObjects() {}

  /** All, in the order in which they must be applied. */
  static List<ObjectNode> read() throws IOException {
    List<ObjectNode> objects = new ArrayList<>();
    objects.add((ObjectNode) Deliverables.YAML.readTree(NAMESPACE_OBJECT));
    String built = Files.readString(Deliverables.BUILD.resolve("kubernetes/kubernetes.yml"));
    for (JsonNode object : inOrder(Deliverables.documents(built))) {
      PodTemplate.complete(object.at("/spec/template"));
      if (object.path("rules") instanceof ArrayNode rules) {
        Permissions.narrow(rules);
      }
      prefix(object);
      objects.add((ObjectNode) object);
    }
    ObjectNode budget = budget();
    ((ObjectNode) budget.get("metadata")).put("namespace", NAMESPACE);
    objects.add(budget);
    return objects;
  }

  /** The budget without a namespace, as a bundle has it. */
  static ObjectNode budget() throws IOException {
    return (ObjectNode) Deliverables.YAML.readTree(DISRUPTION);
  }

  static ObjectNode deployment(List<ObjectNode> objects) {
    return objects.stream()
        .filter(object -> object.get("kind").asText().equals("Deployment"))
        .findFirst()
        .orElseThrow();
  }

  /** The images by what they are, as {@code store}, from the variables that name them. */
  static Map<String, String> images(List<ObjectNode> objects) {
    Map<String, String> images = new TreeMap<>();
    for (JsonNode variable : deployment(objects).at("/spec/template/spec/containers/0/env")) {
      Matcher name = IMAGE_VARIABLE.matcher(variable.get("name").asText());
      if (name.matches()) {
        images.put(name.group(1).toLowerCase(Locale.ROOT), variable.get("value").asText());
      }
    }
    return images;
  }

  /** Kinds in the order of the build; objects of a Kind by name, since their order is chance. */
  private static List<JsonNode> inOrder(List<JsonNode> objects) {
    List<String> kinds =
        objects.stream().map(object -> object.path("kind").asText()).distinct().toList();
    List<JsonNode> sorted = new ArrayList<>(objects);
    sorted.sort(
        Comparator.<JsonNode>comparingInt(object -> kinds.indexOf(object.path("kind").asText()))
            .thenComparing(object -> object.at("/metadata/name").asText()));
    return sorted;
  }

  private static void prefix(JsonNode object) {
    if (object.get("kind").asText().startsWith("ClusterRole")) {
      prefixName(object.get("metadata"));
      if (object.has("roleRef")) {
        prefixName(object.get("roleRef"));
      }
    }
  }

  private static void prefixName(JsonNode named) {
    ((ObjectNode) named).put("name", PREFIX + named.get("name").asText());
  }
}
