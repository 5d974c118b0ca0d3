// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads fields out of a CustomResourceDefinition's schema. */
final class SchemaFields {
  private SchemaFields() {}

  /** Paths of the fields that say nothing about themselves; Kubernetes' own types are left out. */
  static List<String> withoutDescription(String crd) throws IOException {
    JsonNode schema =
        new ObjectMapper(new YAMLFactory())
            .readTree(crd)
            .at("/spec/versions/0/schema/openAPIV3Schema");
    List<String> paths = new ArrayList<>();
    collect(schema, "", paths);
    return paths;
  }

  /**
   * Rules that stand twice at one place: an API server refuses such a definition when it is
   * applied.
   */
  static List<String> rulesThatStandTwice(String crd) throws IOException {
    List<String> twice = new ArrayList<>();
    for (JsonNode rules :
        new ObjectMapper(new YAMLFactory()).readTree(crd).findValues("x-kubernetes-validations")) {
      List<String> one = rules.findValuesAsText("rule");
      one.stream().filter(rule -> Collections.frequency(one, rule) > 1).forEach(twice::add);
    }
    return twice;
  }

  private static void collect(JsonNode schema, String path, List<String> paths) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String at = path + "." + property.getKey();
              JsonNode field = property.getValue();
              if (!field.has("description")) {
                paths.add(at);
              }
              if (!property.getKey().equals("resources") || field.has("items")) {
                collect(field, at, paths);
                collect(field.path("items"), at + "[]", paths);
              }
            });
  }
}
