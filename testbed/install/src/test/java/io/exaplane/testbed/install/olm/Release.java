// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.exaplane.testbed.install.OlderApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A version of the operator as OLM gets it.
 *
 * @param csv name of its ClusterServiceVersion
 * @param version as 0.1.0
 * @param bundle folder of the bundle
 * @param image that the catalog names for the bundle
 */
record Release(String csv, String version, Path bundle, String image) {
  static final Path BUNDLE = Path.of("../../olm-bundle/bundle");
  static final Path CATALOG = Path.of("../../olm-bundle/catalog");
  private static final String CSV_FILE = "manifests/exaplane.clusterserviceversion.yaml";
  private static final String OLDER = "0.0.9";
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** The committed one. */
  static Release committed() throws IOException {
    JsonNode csv = YAML.readTree(BUNDLE.resolve(CSV_FILE).toFile());
    JsonNode blob = YAML.readTree(CATALOG.resolve("exaplane/bundle.yaml").toFile());
    return new Release(
        csv.at("/metadata/name").asText(),
        csv.at("/spec/version").asText(),
        BUNDLE,
        blob.get("image").asText());
  }

  /**
   * The same as a version before would have been: other names and images, and a Kind with a field
   * less.
   *
   * @param folder an empty one, which takes the bundle
   */
  Release older(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(bundle)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(bundle.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        String text = renamed(Files.readString(file));
        boolean isType = file.getFileName().toString().equals(OlderApi.KIND + ".yaml");
        Files.writeString(copy, isType ? OlderApi.of(text) : text);
      }
    }
    return new Release(renamed(csv), OLDER, folder, renamed(image));
  }

  private String renamed(String text) {
    return text.replace(version, OLDER).replace(version.toLowerCase(Locale.ROOT), OLDER);
  }

  /** The ClusterServiceVersion of the bundle. */
  JsonNode manifest() throws IOException {
    return YAML.readTree(bundle.resolve(CSV_FILE).toFile());
  }

  /**
   * Writes a catalog in which each version replaces the one before it, in the channel of the
   * committed catalog.
   *
   * @param releases the oldest first
   * @param folder an empty one
   */
  static Path catalog(List<Release> releases, Path folder) throws IOException {
    Release committed = committed();
    String blob = Files.readString(CATALOG.resolve("exaplane/bundle.yaml"));
    StringBuilder text = new StringBuilder();
    for (Release release : releases) {
      text.append("---\n")
          .append(release.equals(committed) ? blob : committed.renamed(blob))
          .append('\n');
    }
    Files.writeString(folder.resolve("bundles.yaml"), text);
    StringBuilder rest = new StringBuilder();
    try (var parser =
        YAML.getFactory().createParser(CATALOG.resolve("exaplane/package.yaml").toFile())) {
      var blobs = YAML.readerFor(ObjectNode.class).<ObjectNode>readValues(parser);
      while (blobs.hasNext()) {
        ObjectNode each = blobs.next();
        if (each.path("schema").asText().equals("olm.channel")) {
          entries(each.putArray("entries"), releases);
        }
        rest.append(YAML.writeValueAsString(each));
      }
    }
    Files.writeString(folder.resolve("package.yaml"), rest);
    return folder;
  }

  private static void entries(ArrayNode entries, List<Release> releases) {
    for (int i = 0; i < releases.size(); i++) {
      ObjectNode entry = entries.addObject().put("name", releases.get(i).csv());
      if (i > 0) {
        entry.put("replaces", releases.get(i - 1).csv());
      }
    }
  }
}
