// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pages of the API: a page for each Kind with the type, bounds, default and meaning of every
 * field, from the CustomResourceDefinitions. Fields of Kubernetes' own types are one row.
 */
final class Reference {
  static final String FOLDER = "docs/reference/api";

  private static final int MOST_CHOICES = 24;

  private Reference() {}

  /** The text of each page by its path. */
  static Map<String, String> files(List<Crd> crds) {
    Map<String, String> files = new TreeMap<>();
    for (Crd crd : crds) {
      files.put(FOLDER + "/" + crd.kind().toLowerCase(Locale.ROOT) + ".md", page(crd).toString());
    }
    return files;
  }

  private static StringBuilder page(Crd crd) {
    JsonNode names = crd.definition().at("/spec/names");
    String group = crd.definition().at("/spec/group").asText();
    List<String> shorts = new ArrayList<>();
    names.path("shortNames").forEach(each -> shorts.add(each.asText()));
    StringBuilder page = new StringBuilder();
    page.append("# ").append(crd.kind()).append("\n\n");
    page.append(crd.schema().path("description").asText()).append("\n\n");
    page.append("`./exa generate` writes this page from the types. ");
    page.append(
        "`kubectl explain %s.spec` shows the same texts.\n\n"
            .formatted(shorts.isEmpty() ? names.path("singular").asText() : shorts.getFirst()));
    page.append("```yaml\n");
    for (JsonNode version : crd.definition().at("/spec/versions")) {
      page.append("apiVersion: %s/%s\n".formatted(group, version.get("name").asText()));
    }
    page.append("kind: %s\n```\n".formatted(crd.kind()));
    for (Descriptors.Part part : Descriptors.Part.values()) {
      JsonNode half = crd.schema().at("/properties/" + part.field());
      page.append("\n## ").append(part.field()).append("\n\n");
      rules(half, page);
      page.append("| field | type | default | meaning |\n|---|---|---|---|\n");
      rows(half, "", page);
    }
    return page;
  }

  /** What CEL asks of the whole half; rules inside are in the rows of their fields. */
  private static void rules(JsonNode half, StringBuilder page) {
    List<String> messages = messages(half);
    if (!messages.isEmpty()) {
      page.append("| rules |\n|---|\n");
      messages.forEach(each -> page.append("| ").append(each).append(" |\n"));
      page.append("\n");
    }
  }

  private static List<String> messages(JsonNode schema) {
    List<String> messages = new ArrayList<>();
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      if (rule.has("message")) {
        messages.add(text(rule.get("message").asText()));
      }
    }
    return messages;
  }

  private static void rows(JsonNode schema, String path, StringBuilder page) {
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(each -> required.add(each.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String name = property.getKey();
              String at = path.isEmpty() ? name : path + "." + name;
              JsonNode field = property.getValue();
              row(at, field, required.contains(name), page);
              if (!Descriptors.ofKubernetes(name, field)) {
                rows(field, at, page);
                rows(field.path("items"), at + "[]", page);
              }
            });
  }

  private static void row(String path, JsonNode field, boolean isRequired, StringBuilder page) {
    List<String> facts = new ArrayList<>();
    facts.add(type(field));
    if (isRequired) {
      facts.add("required");
    }
    facts.addAll(bounds(field));
    List<String> meaning = new ArrayList<>();
    meaning.add(text(field.path("description").asText()));
    meaning.addAll(messages(field));
    meaning.addAll(messages(field.path("items")));
    page.append(
        "| `%s` | %s | %s | %s |\n"
            .formatted(
                path,
                String.join(", ", facts),
                field.has("default") ? "`" + value(field.get("default")) + "`" : "",
                String.join(" ", meaning)));
  }

  private static String type(JsonNode field) {
    if (field.path("x-kubernetes-int-or-string").asBoolean()) {
      return "number or string";
    }
    String type = field.path("type").asText();
    if (type.equals("array")) {
      return "list of " + several(type(field.path("items")));
    }
    if (field.path("additionalProperties").isObject()) {
      return "map of " + several(type(field.get("additionalProperties")));
    }
    return type.isEmpty() ? "any" : type;
  }

  private static String several(String type) {
    return switch (type) {
      case "any" -> "any values";
      case "number or string" -> "numbers or strings";
      default -> type + "s";
    };
  }

  private static List<String> bounds(JsonNode field) {
    List<String> bounds = new ArrayList<>();
    JsonNode choices = field.has("enum") ? field.get("enum") : field.path("items").path("enum");
    if (choices.size() > 0 && choices.size() <= MOST_CHOICES) {
      List<String> all = new ArrayList<>();
      choices.forEach(each -> all.add("`" + value(each) + "`"));
      bounds.add(String.join(" ", all));
    }
    range(field, "minimum", "maximum", "", bounds);
    range(field, "minLength", "maxLength", " characters", bounds);
    range(field, "minItems", "maxItems", " items", bounds);
    range(field, "minProperties", "maxProperties", " entries", bounds);
    if (field.has("pattern")) {
      bounds.add("matches `" + value(field.get("pattern")) + "`");
    }
    return bounds;
  }

  private static void range(
      JsonNode field, String least, String most, String unit, List<String> bounds) {
    if (field.has(least) && field.has(most)) {
      bounds.add(number(field, least) + " to " + number(field, most) + unit);
    } else if (field.has(least)) {
      bounds.add("at least " + number(field, least) + unit);
    } else if (field.has(most)) {
      bounds.add("at most " + number(field, most) + unit);
    }
  }

  private static String number(JsonNode field, String limit) {
    double value = field.get(limit).asDouble();
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  private static String value(JsonNode value) {
    String text = value.isValueNode() ? value.asText() : value.toString();
    return (text.isEmpty() ? "\"\"" : text).replace("|", "\\|");
  }

  /** For a cell: in one line, and with no line of the table ended. */
  private static String text(String words) {
    return words.replace("\n", " ").replace("|", "\\|").replace("<", "&lt;");
  }
}
