// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Carries out on one tree what changed between two others. Objects are merged field by field, lists
 * element by element ({@link ListKeys}). Where the first tree differs from the second, too, the
 * third wins: the user asked for it. Pure; no argument is changed.
 *
 * <p>Laws: {@code merge(t, n, n) = t}; {@code merge(n, n, m) = m}; changes of different places
 * commute.
 */
final class ThreeWayMerge {
  private static final JsonNode NOTHING = MissingNode.getInstance();

  private ThreeWayMerge() {}

  /**
   * The pinned tree with what changed between the others.
   *
   * @param pinned what an older bundle rendered, as it is applied
   * @param before what this bundle rendered for the same wishes
   * @param now what this bundle renders for the wishes of today
   */
  static JsonNode merge(JsonNode pinned, JsonNode before, JsonNode now) {
    if (before.equals(now)) {
      return pinned;
    }
    if (pinned.equals(before)) {
      return now;
    }
    if (areObjects(pinned, before, now)) {
      return objects(pinned, before, now);
    }
    if (pinned.isArray() && isArrayOrNothing(before) && isArrayOrNothing(now)) {
      return arrays(pinned, before, now).orElse(now);
    }
    return now;
  }

  private static boolean areObjects(JsonNode pinned, JsonNode before, JsonNode now) {
    return pinned.isObject()
        && (before.isObject() || before.isMissingNode())
        && (now.isObject() || now.isMissingNode());
  }

  private static boolean isArrayOrNothing(JsonNode node) {
    return node.isArray() || node.isMissingNode();
  }

  private static JsonNode objects(JsonNode pinned, JsonNode before, JsonNode now) {
    Set<String> fields = new LinkedHashSet<>();
    for (JsonNode tree : new JsonNode[] {pinned, before, now}) {
      tree.fieldNames().forEachRemaining(fields::add);
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String field : fields) {
      JsonNode value = merge(pinned.path(field), before.path(field), now.path(field));
      if (!value.isMissingNode()) {
        merged.set(field, value);
      }
    }
    return merged.isEmpty() && now.isMissingNode() ? NOTHING : merged;
  }

  /** Element by element; nothing when the elements have no keys. */
  private static Optional<JsonNode> arrays(JsonNode pinned, JsonNode before, JsonNode now) {
    return ListKeys.of(pinned, before, now)
        .map(
            keys -> {
              Map<String, JsonNode> there = keys.elements(pinned);
              Map<String, JsonNode> was = keys.elements(before);
              Map<String, JsonNode> asked = keys.elements(now);
              Map<String, JsonNode> merged = new LinkedHashMap<>();
              there.forEach(
                  (key, element) -> {
                    JsonNode value =
                        merge(
                            element,
                            was.getOrDefault(key, NOTHING),
                            asked.getOrDefault(key, NOTHING));
                    if (!value.isMissingNode()) {
                      merged.put(key, value);
                    }
                  });
              return (JsonNode) withAdded(merged, there, was, asked);
            })
        .filter(list -> !list.isEmpty() || !now.isMissingNode())
        .or(() -> now.isMissingNode() ? Optional.of(NOTHING) : Optional.empty());
  }

  /** New elements come after the one that they come after in the list of today. */
  private static ArrayNode withAdded(
      Map<String, JsonNode> merged,
      Map<String, JsonNode> there,
      Map<String, JsonNode> was,
      Map<String, JsonNode> asked) {
    List<String> order = new ArrayList<>(merged.keySet());
    Map<String, JsonNode> values = new LinkedHashMap<>(merged);
    int place = 0;
    for (Map.Entry<String, JsonNode> element : asked.entrySet()) {
      String key = element.getKey();
      int at = order.indexOf(key);
      if (at >= 0) {
        place = at + 1;
      } else if (!there.containsKey(key) && !element.getValue().equals(was.get(key))) {
        order.add(place++, key);
        values.put(key, element.getValue());
      }
    }
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    order.forEach(key -> list.add(values.get(key)));
    return list;
  }
}
