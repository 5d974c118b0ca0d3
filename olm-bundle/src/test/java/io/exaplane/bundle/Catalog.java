// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The file-based catalog: a package with its channels, and a blob for each bundle. Blobs of
 * released versions are kept in {@code catalog/exaplane/released}, and nothing writes them again.
 */
final class Catalog {
  static final String FOLDER = "olm-bundle/catalog/exaplane";
  static final String PACKAGE = "exaplane";
  private static final Path RELEASED = Deliverables.ROOT.resolve(FOLDER + "/released");
  private static final String HEADER =
      "# Generated from the bundle: './exa generate' writes this file.\n";

  /** Fields of a CSV's spec by the names that a catalog has for them. */
  private static final Map<String, String> METADATA =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("customresourcedefinitions", "crdDescriptions"),
              Map.entry("description", "description"),
              Map.entry("displayName", "displayName"),
              Map.entry("installModes", "installModes"),
              Map.entry("keywords", "keywords"),
              Map.entry("maintainers", "maintainers"),
              Map.entry("maturity", "maturity"),
              Map.entry("minKubeVersion", "minKubeVersion"),
              Map.entry("nativeAPIs", "nativeAPIs"),
              Map.entry("provider", "provider")));

  private Catalog() {}

  /** The bundles of released versions. */
  static List<JsonNode> released() throws IOException {
    if (!Files.isDirectory(RELEASED)) {
      return List.of();
    }
    List<JsonNode> bundles = new ArrayList<>();
    try (Stream<Path> files = Files.list(RELEASED)) {
      for (Path file : files.sorted().toList()) {
        bundles.addAll(Deliverables.documents(Files.readString(file)));
      }
    }
    return bundles;
  }

  static Map<String, String> files(JsonNode csv, List<JsonNode> released) throws IOException {
    Upgrades upgrades = Upgrades.of(Csv.version(csv), released);
    Map<String, String> files = new TreeMap<>();
    List<ObjectNode> blobs = new ArrayList<>();
    blobs.add(packageBlob(csv, upgrades));
    for (String channel : List.of(Upgrades.STABLE, Upgrades.CANDIDATE)) {
      channelBlob(channel, upgrades).ifPresent(blobs::add);
    }
    files.put(FOLDER + "/package.yaml", text(blobs));
    files.put(FOLDER + "/bundle.yaml", text(List.of(bundleBlob(csv))));
    return files;
  }

  /** OLM takes a comment before the first separator for a blob without a schema. */
  private static String text(List<ObjectNode> blobs) throws IOException {
    return HEADER + Deliverables.stream(blobs).substring("---\n".length());
  }

  private static ObjectNode packageBlob(JsonNode csv, Upgrades upgrades) {
    ObjectNode blob = blob("olm.package", PACKAGE);
    blob.put("defaultChannel", upgrades.defaultChannel());
    blob.set("description", csv.at("/metadata/annotations/description"));
    blob.set("icon", csv.at("/spec/icon/0"));
    return blob;
  }

  /** None for a channel without a version, which OLM refuses. */
  private static Optional<ObjectNode> channelBlob(String channel, Upgrades upgrades) {
    List<Upgrades.Release> releases = upgrades.in(channel);
    if (releases.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode blob = blob("olm.channel", channel);
    blob.put("package", PACKAGE);
    ArrayNode entries = blob.putArray("entries");
    for (int i = 0; i < releases.size(); i++) {
      ObjectNode entry = entries.addObject().put("name", releases.get(i).bundle());
      if (i > 0) {
        entry.put("replaces", releases.get(i - 1).bundle());
        entry.put(
            "skipRange", ">=" + releases.getFirst().version() + " <" + releases.get(i).version());
      }
    }
    return Optional.of(blob);
  }

  private static ObjectNode bundleBlob(JsonNode csv) {
    ObjectNode blob = blob("olm.bundle", csv.at("/metadata/name").asText());
    blob.put("package", PACKAGE);
    JsonNode images = csv.at("/spec/relatedImages");
    String operator = csv.at("/metadata/annotations/containerImage").asText();
    String image = operator.replaceFirst("/operator(?=[:@])", "/bundle");
    blob.put("image", image);
    ArrayNode properties = blob.putArray("properties");
    for (JsonNode owned : csv.at("/spec/customresourcedefinitions/owned")) {
      String name = owned.get("name").asText();
      property(properties, "olm.gvk")
          .put("group", name.substring(name.indexOf('.') + 1))
          .put("kind", owned.get("kind").asText())
          .put("version", owned.get("version").asText());
    }
    property(properties, "olm.package")
        .put("packageName", PACKAGE)
        .put("version", Csv.version(csv));
    ObjectNode metadata = property(properties, "olm.csv.metadata");
    metadata.set("annotations", csv.at("/metadata/annotations"));
    METADATA.forEach(
        (field, name) -> {
          if (csv.get("spec").has(field)) {
            metadata.set(name, csv.get("spec").get(field));
          }
        });
    ArrayNode related = blob.putArray("relatedImages");
    related.addObject().put("name", "bundle").put("image", image);
    images.forEach(related::add);
    return blob;
  }

  private static ObjectNode blob(String schema, String name) {
    return Deliverables.YAML.createObjectNode().put("schema", schema).put("name", name);
  }

  private static ObjectNode property(ArrayNode properties, String type) {
    return properties.addObject().put("type", type).putObject("value");
  }
}
