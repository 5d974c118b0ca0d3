// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One form for all ways to write an object: keys in the order of their UTF-16 units, no white
 * space, and nothing that only the server writes. Pure.
 */
final class Canonical {
  /** What only servers write, also into the files that people export. */
  private static final Set<String> OF_SERVERS =
      Set.of(
          "managedFields",
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "generation",
          "selfLink",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private static final JsonFactory FACTORY = new ObjectMapper().getFactory();

  private Canonical() {}

  /** An object's bytes; the object stays as it is. */
  static byte[] of(ObjectNode object) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      for (String name : names(object)) {
        if (name.equals("status")) {
          continue;
        }
        json.writeFieldName(name);
        JsonNode value = object.get(name);
        if (name.equals("metadata") && value.isObject()) {
          map(json, value, OF_SERVERS);
        } else {
          write(json, value);
        }
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("an object cannot be written into memory", e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, JsonNode value) throws IOException {
    if (value.isObject()) {
      map(json, value, Set.of());
    } else if (value.isArray()) {
      json.writeStartArray();
      for (JsonNode one : value) {
        write(json, one);
      }
      json.writeEndArray();
    } else {
      json.writeTree(value);
    }
  }

  private static void map(JsonGenerator json, JsonNode map, Set<String> without)
      throws IOException {
    json.writeStartObject();
    for (String name : names(map)) {
      if (!without.contains(name)) {
        json.writeFieldName(name);
        write(json, map.get(name));
      }
    }
    json.writeEndObject();
  }

  private static List<String> names(JsonNode map) {
    List<String> names = new ArrayList<>(map.size());
    map.fieldNames().forEachRemaining(names::add);
    names.sort(null);
    return names;
  }
}
