// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fields of the operator's kinds, by the schemas that the server publishes. Immutable. */
public final class Fields {
  private static final String REFERENCE = "#/components/schemas/";

  private final JsonNode schemas;

  /**
   * A field.
   *
   * @param path as ControlPlane.spec.storage.deletion
   * @param type with bounds, as "string, at most 63 characters"
   * @param preset the default of the schema; empty for none
   * @param rules what CEL asks of it
   * @param inside the fields in it, each with its type and the first sentence of its description
   */
  public record Field(
      String path,
      String type,
      String preset,
      String description,
      List<String> rules,
      List<Inside> inside) {}

  /** A field in a field. Immutable. */
  public record Inside(String name, String type, String words) {}

  /** The fields of the schemas in a document of OpenAPI 3. */
  public Fields(JsonNode openapi) {
    this.schemas = openapi.at("/components/schemas");
  }

  /**
   * Finds a field.
   *
   * @param path the names below the kind, with or without [] behind lists
   * @throws InvalidInputException if the kind has no such field
   */
  public Field find(Kind kind, List<String> path) {
    JsonNode schema = resolved(root(kind));
    StringBuilder at = new StringBuilder(kind.title());
    boolean isRequired = false;
    for (String part : path) {
      String name = part.replace("[]", "");
      JsonNode holder = element(schema);
      JsonNode next = holder.path("properties").path(name);
      if (next.isMissingNode() && holder.path("additionalProperties").isObject()) {
        next = holder.path("additionalProperties");
      }
      if (next.isMissingNode()) {
        List<String> names = new ArrayList<>();
        holder.path("properties").fieldNames().forEachRemaining(names::add);
        throw new InvalidInputException(
            "word",
            at + "." + name,
            "is not a field of the installed version",
            names.isEmpty()
                ? "explain " + at + " instead, which has no fields"
                : "choose from " + String.join(", ", names));
      }
      isRequired = contains(holder.path("required"), name);
      schema = resolved(next);
      at.append('.').append(name);
    }
    return field(at.toString(), schema, isRequired);
  }

  private JsonNode root(Kind kind) {
    for (JsonNode each : schemas) {
      for (JsonNode name : each.path("x-kubernetes-group-version-kind")) {
        if (name.path("kind").asText().equals(kind.title())) {
          return each;
        }
      }
    }
    throw new PlaneException(
        "the management cluster does not publish the fields of %s; check --kubeconfig and --context, and install Exaplane"
            .formatted(kind.title()));
  }

  private JsonNode resolved(JsonNode schema) {
    JsonNode reference =
        schema.has("$ref") ? schema.path("$ref") : schema.at("/allOf/0").path("$ref");
    return reference.asText().startsWith(REFERENCE)
        ? schemas.path(reference.asText().substring(REFERENCE.length()))
        : schema;
  }

  private JsonNode element(JsonNode schema) {
    return schema.has("items") ? resolved(schema.path("items")) : schema;
  }

  private Field field(String path, JsonNode schema, boolean isRequired) {
    List<String> rules = new ArrayList<>();
    JsonNode holder = element(schema);
    schema
        .path("x-kubernetes-validations")
        .forEach(each -> rules.add(each.path("message").asText()));
    if (holder != schema) {
      holder
          .path("x-kubernetes-validations")
          .forEach(each -> rules.add(each.path("message").asText()));
    }
    rules.removeIf(String::isEmpty);
    List<Inside> inside = new ArrayList<>();
    holder
        .path("properties")
        .properties()
        .forEach(
            each -> {
              JsonNode one = resolved(each.getValue());
              boolean required = contains(holder.path("required"), each.getKey());
              inside.add(
                  new Inside(
                      each.getKey(),
                      type(one, required),
                      firstSentence(words(each.getValue(), one))));
            });
    return new Field(
        path,
        type(schema, isRequired),
        schema.has("default") ? text(schema.path("default")) : "",
        words(schema, schema),
        rules,
        inside);
  }

  private static String words(JsonNode own, JsonNode resolved) {
    String words = own.path("description").asText();
    return words.isEmpty() ? resolved.path("description").asText() : words;
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  private String type(JsonNode schema, boolean isRequired) {
    StringBuilder type = new StringBuilder();
    if (schema.has("items")) {
      type.append("list of ").append(type(element(schema), false));
      bounds(type, schema, "minItems", "maxItems", " items");
    } else {
      type.append(
          schema.path("x-kubernetes-int-or-string").asBoolean()
              ? "integer or string"
              : schema.path("type").asText("object"));
      if (schema.has("enum")) {
        List<String> choices = new ArrayList<>();
        schema.path("enum").forEach(each -> choices.add(each.asText()));
        type.append(", one of ").append(String.join(" ", choices));
      }
      bounds(type, schema, "minLength", "maxLength", " characters");
      bounds(type, schema, "minimum", "maximum", "");
      if (schema.has("pattern")) {
        type.append(", matches ").append(schema.path("pattern").asText());
      }
    }
    return type + (isRequired ? ", required" : "");
  }

  private static void bounds(
      StringBuilder type, JsonNode schema, String least, String most, String unit) {
    Optional<String> low =
        Optional.of(schema.path(least)).filter(JsonNode::isNumber).map(JsonNode::asText);
    Optional<String> high =
        Optional.of(schema.path(most)).filter(JsonNode::isNumber).map(JsonNode::asText);
    if (low.isPresent() && high.isPresent()) {
      type.append(", ").append(low.get()).append(" to ").append(high.get()).append(unit);
    } else if (low.isPresent()) {
      type.append(", at least ").append(low.get()).append(unit);
    } else if (high.isPresent()) {
      type.append(", at most ").append(high.get()).append(unit);
    }
  }

  private static String firstSentence(String words) {
    int end = words.indexOf(". ");
    return end < 0 ? words : words.substring(0, end + 1);
  }

  private static boolean contains(JsonNode names, String name) {
    for (JsonNode each : names) {
      if (each.asText().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The value that an object has at a path, of each element in a list; nothing if it is not set.
   */
  public static Optional<JsonNode> value(JsonNode object, List<String> path) {
    if (path.isEmpty() || object.isMissingNode() || object.isNull()) {
      return Optional.of(object).filter(each -> !each.isMissingNode() && !each.isNull());
    }
    if (!object.isArray()) {
      return value(object.path(path.getFirst().replace("[]", "")), path.subList(1, path.size()));
    }
    ArrayNode values = JsonNodeFactory.instance.arrayNode();
    object.forEach(each -> value(each, path).ifPresent(values::add));
    return values.isEmpty() ? Optional.empty() : Optional.of(values);
  }
}
