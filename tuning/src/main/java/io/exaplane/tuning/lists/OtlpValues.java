// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Values as OpenTelemetry writes them in JSON, each in an object that names its type: {@code
 * {"kvlistValue": {"values": [{"key": "verb", "value": {"stringValue": "list"}}]}}}. Names come
 * with capitals or underscores.
 */
final class OtlpValues {
  private static final int DEEPEST = 32;

  private OtlpValues() {}

  static boolean isList(String field) {
    return field.equals("kvlistValue") || field.equals("kvlist_value");
  }

  /**
   * The object that a list of keys and values stands for.
   *
   * @param list what {@code kvlistValue} holds
   */
  static JsonNode object(JsonNode list) {
    return object(list, 0);
  }

  private static ObjectNode object(JsonNode list, int depth) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (JsonNode pair : list.path("values")) {
      object.set(pair.path("key").asText(), plain(pair.path("value"), depth + 1));
    }
    return object;
  }

  private static JsonNode plain(JsonNode typed, int depth) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    if (depth > DEEPEST || typed.isEmpty()) {
      return make.nullNode();
    }
    String type = typed.fieldNames().next();
    JsonNode value = typed.get(type);
    return switch (type) {
      case "kvlistValue", "kvlist_value" -> object(value, depth);
      case "arrayValue", "array_value" -> {
        var array = make.arrayNode();
        value.path("values").forEach(each -> array.add(plain(each, depth + 1)));
        yield array;
      }
      case "intValue", "int_value" -> make.numberNode(value.asLong()); // mostly a string
      default -> value;
    };
  }
}
