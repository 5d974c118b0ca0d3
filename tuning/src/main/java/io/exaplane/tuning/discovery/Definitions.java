// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.discovery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * CustomResourceDefinitions made up for measurements: of groups, kinds and schemas as large as
 * asked. Pure.
 */
public final class Definitions {
  /**
   * How many to install a second, so that each is served at once: fifty every thirty seconds, as
   * Crossplane does. All at once, the last of 2,000 are served after a minute (DESIGN.md).
   */
  public static final double ADVISED_PER_SECOND = 50 / 30.0;

  static final String DOMAIN = "scale.exaplane.io";
  private static final String DESCRIPTION =
      "The purpose of this field, in as many words as people write for common fields.";

  private Definitions() {}

  /** The group of a definition. */
  public static String group(int number) {
    return String.format(Locale.ROOT, "g%04d.%s", number, DOMAIN);
  }

  /**
   * Manifests, spread evenly over the groups, from a number on.
   *
   * @param properties fields of the schema, each with a description of some eighty bytes
   */
  public static List<Map<String, Object>> of(int first, int count, int properties, int groups) {
    List<Map<String, Object>> manifests = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      manifests.add(definition(i, properties, i % groups));
    }
    return manifests;
  }

  private static Map<String, Object> definition(int number, int properties, int group) {
    String plural = String.format(Locale.ROOT, "widgets%05d", number);
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("apiVersion", "apiextensions.k8s.io/v1");
    manifest.put("kind", "CustomResourceDefinition");
    manifest.put("metadata", Map.of("name", plural + "." + group(group)));
    Map<String, Object> names = new LinkedHashMap<>();
    names.put("plural", plural);
    names.put("singular", plural.replace("widgets", "widget"));
    names.put("kind", plural.replace("widgets", "Widget"));
    Map<String, Object> version = new LinkedHashMap<>();
    version.put("name", "v1");
    version.put("served", true);
    version.put("storage", true);
    version.put("schema", Map.of("openAPIV3Schema", schema(properties)));
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("group", group(group));
    spec.put("scope", "Namespaced");
    spec.put("names", names);
    spec.put("versions", List.of(version));
    manifest.put("spec", spec);
    return manifest;
  }

  private static Map<String, Object> schema(int properties) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < properties; i++) {
      Map<String, Object> field = new LinkedHashMap<>();
      field.put("type", i % 3 == 0 ? "integer" : "string");
      field.put("description", DESCRIPTION);
      fields.put("field" + i, field);
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("type", "object");
    spec.put("properties", fields);
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", Map.of("spec", spec));
    return schema;
  }
}
