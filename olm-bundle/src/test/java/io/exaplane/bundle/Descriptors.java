// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Descriptors of a CSV: one for each field of a CRD's schema, by which OLM's consoles show forms
 * and details. Kubernetes' own types are one field each.
 */
final class Descriptors {
  private static final String UI = "urn:alm:descriptor:com.tectonic.ui:";
  private static final String TEXT = "urn:alm:descriptor:text";

  private Descriptors() {}

  /** The two halves of an object. */
  enum Part {
    SPEC,
    STATUS;

    String field() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A field: its path in its half of the object, as {@code storage.stores[0].name}. */
  record Field(String path, String name, JsonNode schema, String parent) {}

  static ArrayNode of(Crd crd, Part part) {
    ArrayNode descriptors = Deliverables.YAML.createArrayNode();
    for (Field field : fields(crd, part)) {
      ObjectNode descriptor = descriptors.addObject();
      descriptor.put("path", field.path());
      descriptor.put("displayName", displayName(field.path()));
      descriptor.set("description", field.schema().get("description"));
      ArrayNode widgets = descriptor.putArray("x-descriptors");
      widgets(field, part).forEach(widgets::add);
      if (widgets.isEmpty()) {
        descriptor.remove("x-descriptors");
      }
    }
    return descriptors;
  }

  /** All fields of that half, each before those inside of it. */
  static List<Field> fields(Crd crd, Part part) {
    List<Field> fields = new ArrayList<>();
    collect(crd.schema().at("/properties/" + part.field()), "", "", fields);
    return fields;
  }

  private static void collect(JsonNode schema, String path, String parent, List<Field> fields) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String name = property.getKey();
              String at = path.isEmpty() ? name : path + "." + name;
              JsonNode inside = property.getValue();
              fields.add(new Field(at, name, inside, parent));
              if (!ofKubernetes(name, inside)) {
                collect(inside, at, name, fields);
                collect(inside.path("items"), at + "[0]", name, fields);
              }
            });
  }

  /** Resources of containers, whose fields have no descriptions of ours. */
  static boolean ofKubernetes(String name, JsonNode schema) {
    return name.equals("resources") && schema.path("properties").has("limits");
  }

  private static List<String> widgets(Field field, Part part) {
    String type = field.schema().path("type").asText();
    if (part == Part.STATUS) {
      if (field.path().equals("conditions")) {
        return List.of("urn:alm:descriptor:io.kubernetes.conditions");
      }
      return isSecretName(field)
          ? List.of("urn:alm:descriptor:io.kubernetes:Secret")
          : isScalar(type) ? List.of(TEXT) : List.of();
    }
    if (ofKubernetes(field.name(), field.schema())) {
      return List.of(UI + "resourceRequirements");
    }
    if (field.name().equals("replicas") && type.equals("integer")) {
      return List.of(UI + "podCount");
    }
    if (field.schema().has("enum")) {
      List<String> choices = new ArrayList<>();
      field.schema().get("enum").forEach(choice -> choices.add(UI + "select:" + choice.asText()));
      return choices;
    }
    return switch (type) {
      case "boolean" -> List.of(UI + "booleanSwitch");
      case "integer", "number" -> List.of(UI + "number");
      case "string" ->
          List.of(isSecretName(field) ? "urn:alm:descriptor:io.kubernetes:Secret" : UI + "text");
      default -> List.of();
    };
  }

  private static boolean isSecretName(Field field) {
    return field.name().equals("name")
        && field.parent().toLowerCase(Locale.ROOT).endsWith("secretref");
  }

  private static boolean isScalar(String type) {
    return List.of("string", "integer", "number", "boolean").contains(type);
  }

  /** As {@code Storage: Stores: Name} for {@code storage.stores[0].name}. */
  static String displayName(String path) {
    List<String> words = new ArrayList<>();
    for (String step : path.replace("[0]", "").split("\\.")) {
      String spaced = step.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ");
      words.add(spaced.substring(0, 1).toUpperCase(Locale.ROOT) + spaced.substring(1));
    }
    return String.join(": ", words);
  }
}
