// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * What one manager applied of an object, found in the object by the fields that it manages
 * (structured-merge-diff's {@code FieldsV1}): {@code f:} names a field, {@code k:} an element of a
 * list by its keys, {@code v:} an element by its value, {@code .} the object itself. Pure.
 */
final class AppliedForm {
  private static final JsonMapper JSON = new JsonMapper();

  private AppliedForm() {}

  /**
   * The part of an object that these fields name.
   *
   * @param object the object, or a part of it, as the server shows it
   * @param fields managed fields of that part
   */
  static JsonNode of(JsonNode object, Map<String, Object> fields) {
    if (object.isArray()) {
      return elements((ArrayNode) object, fields);
    }
    if (!object.isObject() || isLeaf(fields)) {
      return object;
    }
    ObjectNode part = JsonNodeFactory.instance.objectNode();
    fields.forEach(
        (name, below) -> {
          if (name.startsWith("f:") && object.has(name.substring(2))) {
            String field = name.substring(2);
            part.set(field, of(object.get(field), map(below)));
          }
        });
    return part;
  }

  private static ArrayNode elements(ArrayNode list, Map<String, Object> fields) {
    if (isLeaf(fields)) {
      return list;
    }
    ArrayNode part = JsonNodeFactory.instance.arrayNode();
    for (JsonNode element : list) {
      for (Map.Entry<String, Object> field : fields.entrySet()) {
        if (names(field.getKey(), element)) {
          part.add(of(element, map(field.getValue())));
          break;
        }
      }
    }
    return part;
  }

  private static boolean names(String field, JsonNode element) {
    if (field.startsWith("v:")) {
      return parse(field).equals(element);
    }
    if (!field.startsWith("k:")) {
      return false;
    }
    for (Map.Entry<String, JsonNode> key : parse(field).properties()) {
      if (!key.getValue().equals(element.path(key.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode parse(String field) {
    try {
      return JSON.readTree(field.substring(2));
    } catch (IOException e) {
      throw new UncheckedIOException("managed field '%s' is not JSON".formatted(field), e);
    }
  }

  /** A field that is managed as one: nothing below it is named. */
  private static boolean isLeaf(Map<String, Object> fields) {
    return fields.keySet().stream().allMatch("."::equals) && !fields.containsKey(".");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object below) {
    return below == null ? Map.of() : (Map<String, Object>) below;
  }
}
