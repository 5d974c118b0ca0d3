// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What is delivered, by its path in the repository: the operator's manifests, install.yaml,
 * kustomize's bases, the Helm chart, the OLM bundle and its catalog, and the pages of the API. All
 * come from the operator's build and from crds/generated.
 */
final class Deliverables {
  static final Path ROOT = Path.of("..");
  static final String MANIFESTS = "config/manifests/operator.yaml";
  static final String INSTALL = "config/install/install.yaml";

  /** The operator's build. */
  static final Path BUILD = ROOT.resolve("operator/target");

  /** Folders in which every file is generated. */
  static final List<String> FOLDERS =
      List.of(
          "config/install",
          "config/overlays",
          Chart.FOLDER + "/files/crds",
          Chart.FOLDER + "/files/dashboards",
          Chart.FOLDER + "/templates/generated",
          Reference.FOLDER,
          Bundle.FOLDER);

  private static final String HEADER =
      "# Generated from the operator: './exa generate' writes this file.\n";

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
    List<ObjectNode> operator = OperatorObjects.read();
    List<Crd> crds = Crd.all();
    ObjectNode csv = Csv.generate(operator, crds);
    Map<String, String> files = new TreeMap<>();
    files.put(MANIFESTS, HEADER + stream(operator));
    files.put(INSTALL, install(operator, crds));
    files.putAll(Kustomizations.files(OperatorObjects.images(operator)));
    files.putAll(Bundle.files(csv, crds));
    files.putAll(Catalog.files(csv, Catalog.released()));
    files.putAll(Chart.files(operator, crds, csv));
    files.putAll(Reference.files(crds));
    return files;
  }

  /** One file with everything, in the order in which it must be applied. */
  private static String install(List<ObjectNode> operator, List<Crd> crds) throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (Crd crd : crds) {
      text.append("---\n").append(crd.withoutHeader());
    }
    return text.append(stream(operator)).toString();
  }

  static String stream(List<ObjectNode> objects) throws IOException {
    StringBuilder text = new StringBuilder();
    for (ObjectNode object : objects) {
      text.append("---\n").append(YAML.writeValueAsString(object));
    }
    return text.toString();
  }

  /** Files in generated folders that no build gives: what a Kind leaves that was renamed. */
  static Set<String> leftOver(Set<String> generated) throws IOException {
    Set<String> found = new TreeSet<>();
    for (String folder : FOLDERS) {
      Path path = ROOT.resolve(folder);
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.walk(path)) {
          files
              .filter(Files::isRegularFile)
              .map(file -> ROOT.relativize(file).toString())
              .forEach(found::add);
        }
      }
    }
    found.removeAll(generated);
    return found;
  }

  /** The documents of a YAML file. */
  static List<JsonNode> documents(String yaml) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (var parser = YAML.getFactory().createParser(yaml)) {
      Iterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(parser);
      all.forEachRemaining(
          document -> {
            if (document.has("kind") || document.has("schema")) {
              documents.add(document);
            }
          });
    }
    return documents;
  }
}
