// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the CustomResourceDefinitions from the API types. Adds what the library's generator can't
 * express: the order of printer columns, keys of lists, lengths of list items, a required spec.
 */
final class CrdGenerator {
  static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          ControlPlane.class,
          ControlPlaneTask.class,
          NodePool.class,
          SchedulerPool.class,
          StoreShard.class);

  private static final String HEADER =
      "# Generated from the types in io.exaplane.api.v1alpha1: './exa generate' writes this"
          + " file.\n";
  private static final Map<String, String> LIST_KEYS =
      Map.of(
          "conditions",
          "type",
          "extraArgs",
          "name",
          "stores",
          "name",
          "certificates",
          "name",
          "pluginConfig",
          "name",
          "addons",
          "name");

  /** As controller-gen has it for resource.Quantity. */
  private static final String QUANTITY =
      "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

  /** The library has no descriptions of Kubernetes' own types. */
  private static final Map<String, String> AMOUNTS =
      Map.of(
          "limits",
          "Largest amount of each resource that a container may use, for example {memory: 4Gi}."
              + " Default: that of resources as a whole.",
          "requests",
          "Amount of each resource that is reserved for a container, for example {cpu: 500m,"
              + " memory: 2Gi}. Default: the limits.");

  private static final Map<String, Integer> ITEM_LENGTHS =
      Map.of(
          "serviceCIDRs", 64, "podCIDRs", 64, "nodeCIDRs", 64, "sourceRanges", 64, "certSANs", 253);
  private static final Map<String, String> DESCRIPTIONS =
      Map.of(
          "ControlPlane",
          "A hosted Kubernetes control plane: its API, its controllers, its scheduler and their"
              + " stores.",
          "ControlPlaneTask",
          "Something that is done to a ControlPlane once: a restart, or a rotation of credentials.",
          "NodePool",
          "Nodes of a hosted cluster that have all in common: how hosts join, and where pods get"
              + " addresses.",
          "SchedulerPool",
          "A scheduler of one or many processes for a cluster: it decides as kube-scheduler would.",
          "StoreShard",
          "One store that speaks etcd v3 over TLS, with one endpoint and one revision space.");

  private CrdGenerator() {}

  /** The YAML of each CustomResourceDefinition by file name. */
  static Map<String, String> generate(Path scratch) throws IOException {
    for (Class<? extends CustomResource<?, ?>> kind : KINDS) {
      new CRDGenerator()
          .customResourceClasses(List.of(kind))
          .forCRDVersions("v1")
          .inOutputDir(scratch.toFile())
          .generate();
    }
    ObjectMapper yaml =
        new ObjectMapper(
            YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .build());
    Map<String, String> files = new TreeMap<>();
    for (Class<? extends CustomResource<?, ?>> kind : KINDS) {
      String name = CustomResource.getCRDName(kind);
      ObjectNode crd = (ObjectNode) yaml.readTree(scratch.resolve(name + "-v1.yml").toFile());
      complete(crd, kind);
      files.put(name + ".yaml", HEADER + yaml.writeValueAsString(crd));
    }
    return files;
  }

  private static void complete(ObjectNode crd, Class<?> kind) {
    ObjectNode version = (ObjectNode) crd.at("/spec/versions/0");
    ArrayNode columns = version.putArray("additionalPrinterColumns");
    Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
        .forEach(
            column -> {
              ObjectNode node = columns.addObject();
              node.put("name", column.name());
              node.put("type", column.type().getValue());
              node.put("jsonPath", column.jsonPath());
              if (column.priority() != 0) {
                node.put("priority", column.priority());
              }
            });
    ObjectNode schema = (ObjectNode) version.at("/schema/openAPIV3Schema");
    schema.put("description", DESCRIPTIONS.get(kind.getSimpleName()));
    schema.putArray("required").add("spec");
    ((ObjectNode) schema.at("/properties/spec"))
        .put("description", "Desired state, which the operator brings about and keeps.");
    ((ObjectNode) schema.at("/properties/status"))
        .put(
            "description",
            "Observed state: conditions with the next action, and figures. The operator writes"
                + " it.");
    completeProperties(schema);
  }

  private static void completeProperties(JsonNode schema) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              ObjectNode node = (ObjectNode) property.getValue();
              String name = property.getKey();
              if (LIST_KEYS.containsKey(name) && node.path("type").asText().equals("array")) {
                node.put("x-kubernetes-list-type", "map");
                node.putArray("x-kubernetes-list-map-keys").add(LIST_KEYS.get(name));
              }
              if (ITEM_LENGTHS.containsKey(name)) {
                ((ObjectNode) node.path("items")).put("maxLength", ITEM_LENGTHS.get(name));
              }
              if (name.equals("resources") && node.path("properties") instanceof ObjectNode parts) {
                // Pods made here have no spec.resourceClaims that a claim could name.
                parts.remove("claims");
                // One that is none would be taken in, and end every operator that reads it.
                for (Map.Entry<String, String> amounts : AMOUNTS.entrySet()) {
                  ObjectNode map = (ObjectNode) parts.path(amounts.getKey());
                  map.put("description", amounts.getValue());
                  ((ObjectNode) map.path("additionalProperties")).put("pattern", QUANTITY);
                }
              }
              if (node.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
                // The library says that values of a map are objects.
                node.remove("additionalProperties");
              }
              completeProperties(node);
              completeProperties(node.path("items"));
            });
  }

  /** Writes the files into a folder. */
  static void write(Map<String, String> files, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }
}
