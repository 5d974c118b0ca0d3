// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ClusterServiceVersion: what the build generates, with a descriptor for every field of the
 * CRDs, the samples, the icon, the description, the images and the version before.
 */
final class Csv {
  static final Path SAMPLES = Deliverables.ROOT.resolve("config/samples");
  static final Path DESCRIPTION = Path.of("description.md");
  private static final Path ICON = Path.of("icon.svg");
  private static final String GENERATED =
      "bundle/exaplane/manifests/exaplane.clusterserviceversion.yaml";

  /** What openshift-preflight asks each operator to say. */
  private static final List<String> FEATURES =
      List.of(
          "disconnected",
          "fips-compliant",
          "proxy-aware",
          "tls-profiles",
          "token-auth-aws",
          "token-auth-azure",
          "token-auth-gcp",
          "cnf",
          "cni",
          "csi");

  /** What the images are built for. */
  private static final List<String> PLATFORM = List.of("arch.amd64", "os.linux");

  private Csv() {}

  static ObjectNode generate(List<ObjectNode> operator, List<Crd> crds) throws IOException {
    ObjectNode csv =
        (ObjectNode) Deliverables.YAML.readTree(Deliverables.BUILD.resolve(GENERATED).toFile());
    ObjectNode spec = (ObjectNode) csv.get("spec");
    completeInstall(spec.at("/install/spec"));
    ObjectNode definitions = (ObjectNode) spec.get("customresourcedefinitions");
    definitions.remove("required"); // the generator lists what one reconciler owns for the other
    describe((ArrayNode) definitions.get("owned"), crds);
    Written.add((ArrayNode) definitions.get("owned"), spec.get("nativeAPIs"), operator);
    spec.put("description", Files.readString(DESCRIPTION));
    ObjectNode icon = spec.putArray("icon").addObject();
    icon.put("base64data", Base64.getEncoder().encodeToString(Files.readAllBytes(ICON)));
    icon.put("mediatype", "image/svg+xml");
    ArrayNode related = spec.putArray("relatedImages");
    OperatorObjects.images(operator)
        .forEach((name, image) -> related.addObject().put("name", name).put("image", image));
    ObjectNode annotations = (ObjectNode) csv.at("/metadata/annotations");
    annotations.put("containerImage", OperatorObjects.images(operator).get("operator"));
    annotate(annotations, spec.get("displayName").asText());
    ObjectNode labels = ((ObjectNode) csv.get("metadata")).withObject("/labels");
    PLATFORM.forEach(part -> labels.put("operatorframework.io/" + part, "supported"));
    Upgrades upgrades = Upgrades.of(version(csv), Catalog.released());
    upgrades.before().ifPresent(name -> spec.put("replaces", name));
    upgrades.skipRange().ifPresent(range -> annotations.put("olm.skipRange", range));
    return csv;
  }

  static String version(JsonNode csv) {
    return csv.at("/spec/version").asText();
  }

  private static void completeInstall(JsonNode install) {
    PodTemplate.complete(install.at("/deployments/0/spec/template"));
    for (JsonNode permission : install.get("clusterPermissions")) {
      ArrayNode rules = (ArrayNode) permission.get("rules");
      Permissions.narrow(rules);
      // Which reconciler's come first is chance.
      sort(rules, Comparator.comparing(JsonNode::toString));
    }
  }

  private static void describe(ArrayNode owned, List<Crd> crds) {
    sort(owned, PodTemplate.BY_NAME);
    Map<String, Crd> byName =
        crds.stream().collect(Collectors.toMap(Crd::name, Function.identity()));
    for (JsonNode each : owned) {
      Crd crd = byName.get(each.get("name").asText());
      ObjectNode kind = (ObjectNode) each;
      kind.set("description", crd.schema().get("description"));
      kind.set("displayName", each.get("kind"));
      kind.set("specDescriptors", Descriptors.of(crd, Descriptors.Part.SPEC));
      kind.set("statusDescriptors", Descriptors.of(crd, Descriptors.Part.STATUS));
    }
  }

  private static void annotate(ObjectNode annotations, String name) throws IOException {
    annotations.put(
        "description", name + " runs the control planes of very large Kubernetes clusters.");
    annotations.put(
        "alm-examples",
        new ObjectMapper().writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(samples())
            + "\n");
    annotations.put("operatorframework.io/suggested-namespace", OperatorObjects.NAMESPACE);
    for (String feature : FEATURES) {
      annotations.put("features.operators.openshift.io/" + feature, "false");
    }
  }

  /** config/samples, the plain one of a Kind before others of it. */
  static ArrayNode samples() throws IOException {
    ArrayNode samples = Deliverables.YAML.createArrayNode();
    try (Stream<Path> files = Files.list(SAMPLES)) {
      List<Path> sorted =
          files
              .filter(file -> file.toString().endsWith(".yaml"))
              .sorted(Comparator.comparing(file -> file.toString().replace(".yaml", "")))
              .toList();
      for (Path file : sorted) {
        Deliverables.documents(Files.readString(file)).forEach(samples::add);
      }
    }
    return samples;
  }

  private static void sort(ArrayNode list, Comparator<JsonNode> order) {
    List<JsonNode> sorted = new ArrayList<>();
    list.forEach(sorted::add);
    sorted.sort(order);
    list.removeAll().addAll(sorted);
  }
}
