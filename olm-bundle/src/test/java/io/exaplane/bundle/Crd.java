// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A committed CustomResourceDefinition.
 *
 * @param file its name in crds/generated
 * @param text as committed, with the comment at its head
 */
record Crd(String file, String text, JsonNode definition) {
  private static final Path FOLDER = Deliverables.ROOT.resolve("crds/generated");
  private static final String BEFORE_NAME = "\nmetadata:\n";

  /** All, by the names of their files. */
  static List<Crd> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Crd> crds = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        crds.add(new Crd(file.getFileName().toString(), text, Deliverables.YAML.readTree(text)));
      }
      return crds;
    }
  }

  String name() {
    return definition.at("/metadata/name").asText();
  }

  String kind() {
    return definition.at("/spec/names/kind").asText();
  }

  JsonNode schema() {
    return definition.at("/spec/versions/0/schema/openAPIV3Schema");
  }

  /** For a file of many objects, whose own comment stands at its head. */
  String withoutHeader() {
    return text.substring(text.indexOf("apiVersion:"));
  }

  /** With an annotation beside its name. */
  String annotated(String key, String value) {
    if (!text.contains(BEFORE_NAME)) {
      throw new IllegalStateException(
          file + ": no metadata in the form that the generator of CRDs writes");
    }
    return text.replaceFirst(
        BEFORE_NAME, BEFORE_NAME + "  annotations:\n    %s: %s\n".formatted(key, value));
  }
}
