// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Strict reading of one map: known fields, and of the right type. Pure. */
final class Fields {
  private static final Map<String, String> HINTS =
      Map.of(
          "bases", "write the folders in resources",
          "patchesStrategicMerge", "write the patches in patches",
          "patchesJson6902", "write the patches in patches",
          "commonLabels", "write labels with includeSelectors: true",
          "configMapGenerator", "write the ConfigMaps as files in resources",
          "secretGenerator", "write the Secrets as files in resources");

  private final String path;
  private final JsonNode map;

  private Fields(String path, JsonNode map) {
    this.path = path;
    this.map = map;
  }

  /** Of a map that has no other fields than the known ones. */
  static Fields of(String path, JsonNode map, Set<String> known) throws OverlayException {
    if (!map.isObject()) {
      throw new OverlayException(path, shown(map), "must be a map", "write a field a line");
    }
    for (Map.Entry<String, JsonNode> one : map.properties()) {
      if (!known.contains(one.getKey())) {
        throw new OverlayException(
            path,
            one.getKey(),
            "is not a field that Exaplane renders",
            HINTS.getOrDefault(
                one.getKey(), "remove the field, or publish what 'kubectl kustomize' prints"));
      }
    }
    return new Fields(path, map);
  }

  String at(String name) {
    return path + ": " + name;
  }

  JsonNode get(String name) {
    return map.path(name);
  }

  boolean has(String name) {
    return map.hasNonNull(name);
  }

  /** A word; empty when the field is missing. */
  String word(String name) throws OverlayException {
    JsonNode value = map.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw new OverlayException(at(name), shown(value), "must be a string", "put it in quotes");
    }
    return value.asText();
  }

  boolean truth(String name) throws OverlayException {
    JsonNode value = map.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw new OverlayException(at(name), shown(value), "must be true or false", "write true");
    }
    return value.asBoolean();
  }

  List<JsonNode> list(String name) throws OverlayException {
    JsonNode value = map.path(name);
    List<JsonNode> all = new ArrayList<>();
    if (value.isMissingNode() || value.isNull()) {
      return all;
    }
    if (!value.isArray()) {
      throw new OverlayException(at(name), shown(value), "must be a list", "begin it with a dash");
    }
    value.forEach(all::add);
    return all;
  }

  List<String> words(String name) throws OverlayException {
    List<String> words = new ArrayList<>();
    for (JsonNode one : list(name)) {
      if (!one.isTextual() || one.asText().isBlank()) {
        throw new OverlayException(at(name), shown(one), "must be a string", "put it in quotes");
      }
      words.add(one.asText());
    }
    return words;
  }

  Map<String, String> pairs(String name) throws OverlayException {
    JsonNode value = map.path(name);
    if (!value.isObject()) {
      throw new OverlayException(at(name), shown(value), "must be a map", "write key: value");
    }
    Map<String, String> pairs = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : value.properties()) {
      if (!one.getValue().isTextual()) {
        throw new OverlayException(
            at(name) + "." + one.getKey(),
            shown(one.getValue()),
            "must be a string",
            "put it in quotes");
      }
      pairs.put(one.getKey(), one.getValue().asText());
    }
    return pairs;
  }

  static String shown(JsonNode value) {
    if (value.isMissingNode()) {
      return "";
    }
    return value.isContainerNode() ? (value.isArray() ? "a list" : "a map") : value.asText();
  }
}
