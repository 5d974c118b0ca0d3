// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What is delivered, by its path in the repository: the manifests that './exa up' installs and the
 * OLM bundle. Both come from the operator's build and from crds/generated.
 */
final class Deliverables {
  static final Path ROOT = Path.of("..");
  static final String MANIFESTS = "config/manifests/operator.yaml";
  static final String CSV = "olm-bundle/bundle/manifests/exaplane.clusterserviceversion.yaml";
  private static final Path BUILD = ROOT.resolve("operator/target");
  private static final Path BUNDLE = BUILD.resolve("bundle/exaplane");
  private static final Path CRDS = ROOT.resolve("crds/generated");

  private static final String NAMESPACE =
      """
      # Generated from the operator: './exa generate' writes this file.
      ---
      apiVersion: v1
      kind: Namespace
      metadata:
        labels:
          pod-security.kubernetes.io/enforce: restricted
        name: exaplane-system
      """;

  static final String BUDGET = "olm-bundle/bundle/manifests/exaplane-operator.pdb.yaml";

  /** A drained node takes one of the operators at a time, and waits for none that is not ready. */
  private static final String DISRUPTION =
      """
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata:
        labels:
          app.kubernetes.io/name: exaplane-operator
        name: exaplane-operator
      %sspec:
        maxUnavailable: 1
        selector:
          matchLabels:
            app.kubernetes.io/name: exaplane-operator
        unhealthyPodEvictionPolicy: AlwaysAllow
      """;

  private static final Comparator<JsonNode> BY_NAME =
      Comparator.comparing(variable -> variable.get("name").asText());

  static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .build());

  private Deliverables() {}

  /** Every file that the build gives. */
  static Map<String, String> generate() throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put(MANIFESTS, manifests());
    files.put(CSV, csv());
    files.put(BUDGET, DISRUPTION.formatted(""));
    files.put(
        "olm-bundle/bundle/metadata/annotations.yaml",
        Files.readString(BUNDLE.resolve("metadata/annotations.yaml")));
    files.put(
        "olm-bundle/bundle/bundle.Dockerfile",
        Files.readString(BUNDLE.resolve("bundle.Dockerfile")));
    for (Path crd : crds()) {
      files.put("olm-bundle/bundle/manifests/" + crd.getFileName(), Files.readString(crd));
    }
    return files;
  }

  private static List<Path> crds() throws IOException {
    try (Stream<Path> files = Files.list(CRDS)) {
      return files.sorted().toList();
    }
  }

  private static String manifests() throws IOException {
    StringBuilder text = new StringBuilder(NAMESPACE);
    for (JsonNode object :
        inOrder(documents(Files.readString(BUILD.resolve("kubernetes/kubernetes.yml"))))) {
      sortEnvironment(object.at("/spec/template/spec/containers/0"));
      restrict(object.at("/spec/template/spec"));
      spread(object.at("/spec/template"));
      if (object.path("rules") instanceof ArrayNode rules) {
        Permissions.narrow(rules);
      }
      text.append("---\n").append(YAML.writeValueAsString(object));
    }
    return text.append("---\n")
        .append(DISRUPTION.formatted("  namespace: exaplane-system\n"))
        .toString();
  }

  private static void sort(ArrayNode list, Comparator<JsonNode> order) {
    List<JsonNode> sorted = new ArrayList<>();
    list.forEach(sorted::add);
    sorted.sort(order);
    list.removeAll().addAll(sorted);
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

  /** Leader and standby on different nodes and in different zones, where there are several. */
  private static void spread(JsonNode template) {
    if (!(template.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    ArrayNode constraints = spec.putArray("topologySpreadConstraints");
    for (String key : List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")) {
      ObjectNode constraint = constraints.addObject();
      constraint.put("maxSkew", 1);
      constraint.put("topologyKey", key);
      constraint.put("whenUnsatisfiable", "ScheduleAnyway");
      constraint
          .withObject("/labelSelector/matchLabels")
          .put("app.kubernetes.io/name", "exaplane-operator");
      constraint.putArray("matchLabelKeys").add("pod-template-hash");
    }
  }

  /** The restricted level of the Pod Security Standards; the generators know parts of it only. */
  private static void restrict(JsonNode pod) {
    if (!(pod instanceof ObjectNode spec)) {
      return;
    }
    ObjectNode ofPod = spec.withObject("/securityContext");
    ofPod.put("runAsGroup", 10001);
    ofPod.withObject("/seccompProfile").put("type", "RuntimeDefault");
    for (JsonNode container : spec.get("containers")) {
      ObjectNode context = ((ObjectNode) container).putObject("securityContext");
      context.put("allowPrivilegeEscalation", false);
      context.put("readOnlyRootFilesystem", true);
      context.put("runAsNonRoot", true);
      context.putObject("capabilities").putArray("drop").add("ALL");
      context.putObject("seccompProfile").put("type", "RuntimeDefault");
    }
  }

  /** The generators write a container's variables in any order. */
  private static void sortEnvironment(JsonNode container) {
    if (container.path("env") instanceof ArrayNode variables) {
      List<JsonNode> sorted = new ArrayList<>();
      variables.forEach(sorted::add);
      sorted.sort(BY_NAME);
      variables.removeAll().addAll(sorted);
    }
  }

  /** The generated CSV, with the descriptions of the committed CRDs. */
  private static String csv() throws IOException {
    ObjectNode csv =
        (ObjectNode)
            YAML.readTree(BUNDLE.resolve("manifests/exaplane.clusterserviceversion.yaml").toFile());
    ObjectNode definitions = (ObjectNode) csv.at("/spec/customresourcedefinitions");
    definitions.remove("required"); // the generator lists what one reconciler owns for the other
    sortEnvironment(csv.at("/spec/install/spec/deployments/0/spec/template/spec/containers/0"));
    restrict(csv.at("/spec/install/spec/deployments/0/spec/template/spec"));
    spread(csv.at("/spec/install/spec/deployments/0/spec/template"));
    for (JsonNode permission : csv.at("/spec/install/spec/clusterPermissions")) {
      Permissions.narrow((ArrayNode) permission.get("rules"));
      // Which reconciler's come first is chance.
      sort((ArrayNode) permission.get("rules"), Comparator.comparing(JsonNode::toString));
    }
    sort((ArrayNode) definitions.get("owned"), BY_NAME);
    Map<String, JsonNode> descriptions = new TreeMap<>();
    for (Path crd : crds()) {
      JsonNode definition = YAML.readTree(crd.toFile());
      descriptions.put(
          definition.at("/metadata/name").asText(),
          definition.at("/spec/versions/0/schema/openAPIV3Schema/description"));
    }
    for (JsonNode owned : (ArrayNode) definitions.get("owned")) {
      ((ObjectNode) owned).set("description", descriptions.get(owned.get("name").asText()));
      ((ObjectNode) owned).set("displayName", owned.get("kind"));
    }
    return YAML.writeValueAsString(csv);
  }

  /** The documents of a YAML file. */
  static List<JsonNode> documents(String yaml) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (var parser = YAML.getFactory().createParser(yaml)) {
      Iterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(parser);
      all.forEachRemaining(
          document -> {
            if (document.has("kind")) {
              documents.add(document);
            }
          });
    }
    return documents;
  }
}
