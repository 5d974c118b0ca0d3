// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Set;

/** Objects as trees, of which equal ones are equal wherever they come from. Pure. */
public final class Trees {
  private static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();
  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> AMOUNTS = Set.of("requests", "limits");
  private static final String SIZE_LIMIT = "sizeLimit";

  private Trees() {}

  /** An object's tree, as the API server would get it. */
  public static JsonNode of(Object object) {
    try {
      return JSON.readTree(KUBERNETES.asJson(object));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object is not JSON", e);
    }
  }

  /** The object of a tree. */
  public static <T> T to(JsonNode tree, Class<T> type) {
    return KUBERNETES.unmarshal(tree.toString(), type);
  }

  static String text(JsonNode tree) {
    return tree.toString();
  }

  static String yaml(Object object) {
    return KUBERNETES.asYaml(object);
  }

  /**
   * What the API server shows of an object, written as this operator would write the same: amounts
   * in its words, and with what is empty.
   */
  static JsonNode aligned(JsonNode seen, JsonNode rendered) {
    return aligned(seen, rendered, "");
  }

  private static JsonNode aligned(JsonNode seen, JsonNode rendered, String field) {
    if (seen.isObject() && rendered.isObject()) {
      ObjectNode result = seen.deepCopy();
      for (Map.Entry<String, JsonNode> wanted : rendered.properties()) {
        JsonNode there = seen.get(wanted.getKey());
        if (there != null) {
          boolean amount = AMOUNTS.contains(field) || wanted.getKey().equals(SIZE_LIMIT);
          result.set(
              wanted.getKey(),
              amount && isSameAmount(there, wanted.getValue())
                  ? wanted.getValue()
                  : aligned(there, wanted.getValue(), wanted.getKey()));
        } else if (wanted.getValue().isContainerNode() && wanted.getValue().isEmpty()) {
          result.set(wanted.getKey(), wanted.getValue());
        }
      }
      return result;
    }
    if (seen.isArray() && rendered.isArray()) {
      return ListKeys.of(seen, rendered)
          .map(
              keys -> {
                Map<String, JsonNode> wanted = keys.elements(rendered);
                ArrayNode result = JSON.createArrayNode();
                keys.elements(seen)
                    .forEach(
                        (key, element) ->
                            result.add(
                                wanted.containsKey(key)
                                    ? aligned(element, wanted.get(key), "")
                                    : element));
                return (JsonNode) result;
              })
          .orElse(seen);
    }
    return seen;
  }

  private static boolean isSameAmount(JsonNode one, JsonNode other) {
    try {
      return one.isValueNode()
          && other.isValueNode()
          && Quantity.getAmountInBytes(new Quantity(one.asText()))
                  .compareTo(Quantity.getAmountInBytes(new Quantity(other.asText())))
              == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The part of what the API server shows that this operator renders, too: for an object of which
   * nobody wrote down who wrote it, as a backup tool's.
   */
  static JsonNode shaped(JsonNode seen, JsonNode rendered) {
    if (seen.isObject() && rendered.isObject()) {
      ObjectNode result = JSON.createObjectNode();
      for (Map.Entry<String, JsonNode> field : seen.properties()) {
        JsonNode wanted = rendered.get(field.getKey());
        if (wanted != null) {
          result.set(field.getKey(), shaped(field.getValue(), wanted));
        }
      }
      return result;
    }
    if (seen.isArray() && rendered.isArray()) {
      return ListKeys.of(seen, rendered)
          .map(
              keys -> {
                Map<String, JsonNode> wanted = keys.elements(rendered);
                ArrayNode result = JSON.createArrayNode();
                keys.elements(seen)
                    .forEach(
                        (key, element) ->
                            result.add(
                                wanted.containsKey(key)
                                    ? shaped(element, wanted.get(key))
                                    : element));
                return (JsonNode) result;
              })
          .orElse(seen);
    }
    return seen;
  }
}
