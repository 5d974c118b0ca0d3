// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a CustomResourceDefinition takes away from users of a released one: objects that were valid
 * would be refused, or fields would be dropped without a word. A CEL rule that is new or has
 * another text counts, unless its reason is written down: whether it refuses more, only its tests
 * know.
 */
final class SchemaChanges {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Limits that may only rise, and those that may only fall. */
  private static final Map<String, Boolean> UPPER =
      Map.of(
          "maximum", true,
          "maxLength", true,
          "maxItems", true,
          "maxProperties", true,
          "minimum", false,
          "minLength", false,
          "minItems", false,
          "minProperties", false);

  /** What no user may lose: the way of a list to be merged, and fields that nobody describes. */
  private static final List<String> FIXED =
      List.of(
          "format",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-int-or-string");

  private static final String RULES = "x-kubernetes-validations";

  private final String kind;
  private final RuleReasons reasons;
  private final List<String> found = new ArrayList<>();

  private SchemaChanges(String kind, RuleReasons reasons) {
    this.kind = kind;
    this.reasons = reasons;
  }

  /**
   * Each as the field, what happened to it, and what to do; empty when nothing is taken away.
   *
   * @param reasons of rules that are newer than the release; those that are asked for are marked
   */
  static List<String> between(String released, String now, RuleReasons reasons) throws IOException {
    JsonNode before = YAML.readTree(released);
    JsonNode after = YAML.readTree(now);
    SchemaChanges changes = new SchemaChanges(after.at("/spec/names/kind").asText(), reasons);
    for (String path : List.of("/spec/group", "/spec/scope", "/spec/names")) {
      changes.same(path, before.at(path), after.at(path));
    }
    for (JsonNode version : before.at("/spec/versions")) {
      String name = version.get("name").asText();
      JsonNode next = version(after, name);
      if (!next.path("served").asBoolean()) {
        changes.say(name, "is no longer served; serve it until its end is announced");
      } else {
        changes.subresources(name, version.path("subresources"), next.path("subresources"));
        changes.compare(name, schema(version), schema(next));
      }
    }
    return changes.found;
  }

  private void subresources(String version, JsonNode before, JsonNode after) {
    before
        .properties()
        .forEach(
            each ->
                same(
                    version + " (subresource " + each.getKey() + ")",
                    each.getValue(),
                    after.path(each.getKey())));
  }

  private static JsonNode version(JsonNode definition, String name) {
    for (JsonNode version : definition.at("/spec/versions")) {
      if (version.get("name").asText().equals(name)) {
        return version;
      }
    }
    return YAML.missingNode();
  }

  private static JsonNode schema(JsonNode version) {
    return version.at("/schema/openAPIV3Schema");
  }

  private void say(String field, String problem, Object... values) {
    found.add(field + ": " + problem.formatted(values));
  }

  private void same(String field, JsonNode before, JsonNode after) {
    if (!before.equals(after)) {
      say(field, "was %s and is %s; keep what was released", before, after);
    }
  }

  private void compare(String path, JsonNode before, JsonNode after) {
    same(path + " (type)", before.path("type"), after.path("type"));
    limits(path, before, after);
    choices(path, before, after);
    required(path, before, after);
    rules(path, before, after);
    for (String fixed : FIXED) {
      if (before.has(fixed)) {
        same(path + " (" + fixed + ")", before.get(fixed), after.path(fixed));
      }
    }
    if (before.has("default")) {
      same(path + " (default)", before.get("default"), after.path("default"));
    }
    if (before.path("nullable").asBoolean() && !after.path("nullable").asBoolean()) {
      say(path, "no longer takes null; keep it nullable");
    }
    before
        .path("properties")
        .properties()
        .forEach(
            property -> {
              String at = path + "." + property.getKey();
              JsonNode next = after.path("properties").path(property.getKey());
              if (next.isMissingNode()) {
                say(at, "is removed; keep the field, and say in its description what replaces it");
              } else {
                compare(at, property.getValue(), next);
              }
            });
    for (String inside : List.of("items", "additionalProperties")) {
      if (before.path(inside).isObject()) {
        compare(path + "[]", before.get(inside), after.path(inside));
      }
    }
  }

  private void limits(String path, JsonNode before, JsonNode after) {
    UPPER.forEach(
        (limit, isUpper) -> {
          if (after.has(limit)) {
            double was =
                before.has(limit)
                    ? before.get(limit).asDouble()
                    : isUpper ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            double is = after.get(limit).asDouble();
            boolean narrower = isUpper ? is < was : is > was;
            String rule = limit + ": " + after.get(limit).asText();
            if (narrower && !reasons.allow(kind, path, rule)) {
              say(path, "%s was %s and is %s; keep the wider one", limit, was, is);
            }
          }
        });
    if (after.has("pattern") && !after.get("pattern").equals(before.path("pattern"))) {
      say(path, "has another pattern; keep the released one, or refuse in a condition");
    }
  }

  private void choices(String path, JsonNode before, JsonNode after) {
    if (!after.has("enum")) {
      return;
    }
    Set<String> gone = texts(before.path("enum"));
    gone.removeAll(texts(after.get("enum")));
    if (!before.has("enum")) {
      say(path, "took any value and takes %s only; accept the others", after.get("enum"));
    } else if (!gone.isEmpty()) {
      say(path, "no longer takes %s; keep them", gone);
    }
  }

  private void required(String path, JsonNode before, JsonNode after) {
    Set<String> more = texts(after.path("required"));
    more.removeAll(texts(before.path("required")));
    more.removeIf(field -> after.path("properties").path(field).has("default"));
    if (!more.isEmpty()) {
      say(path, "requires %s, which were optional; give them defaults", more);
    }
  }

  private void rules(String path, JsonNode before, JsonNode after) {
    Set<String> known = new TreeSet<>();
    before.path(RULES).forEach(each -> known.add(each.path("rule").asText()));
    for (JsonNode each : after.path(RULES)) {
      String rule = each.path("rule").asText();
      if (!known.contains(rule) && !reasons.allow(kind, path, rule)) {
        say(
            path,
            "has a rule that the release did not have: %s; say in %s why no object of a user is"
                + " refused that was taken before",
            rule,
            RuleReasons.FILE);
      }
    }
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new TreeSet<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
