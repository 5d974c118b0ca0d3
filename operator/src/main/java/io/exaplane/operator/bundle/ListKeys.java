// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What tells the elements of a list apart, so that lists can be compared element by element:
 * containers and variables by their name, mounts by their path, flags by what stands before the
 * equals sign. Immutable.
 */
final class ListKeys {
  /** In this order: the first that all elements have, no two of one list the same. */
  private static final List<String> FIELDS =
      List.of("name", "mountPath", "topologyKey", "path", "key", "uid");

  private final Function<JsonNode, String> key;

  private ListKeys(Function<JsonNode, String> key) {
    this.key = key;
  }

  /** Keys for the elements of all these lists, if there are any that serve all of them. */
  static Optional<ListKeys> of(JsonNode... lists) {
    List<JsonNode> elements = new ArrayList<>();
    for (JsonNode list : lists) {
      list.forEach(elements::add);
    }
    if (elements.stream().allMatch(JsonNode::isTextual)) {
      return Optional.of(new ListKeys(ListKeys::flag));
    }
    return FIELDS.stream()
        .filter(field -> elements.stream().allMatch(e -> e.path(field).isTextual()))
        .filter(field -> List.of(lists).stream().allMatch(list -> isUnique(list, field)))
        .findFirst()
        .map(field -> new ListKeys(element -> element.path(field).textValue()));
  }

  /** The elements by their keys, in their order. Equal keys are numbered. */
  Map<String, JsonNode> elements(JsonNode list) {
    Map<String, Integer> seen = new LinkedHashMap<>();
    Map<String, JsonNode> elements = new LinkedHashMap<>();
    for (JsonNode element : list) {
      String name = key.apply(element);
      elements.put(name + " " + seen.merge(name, 1, Integer::sum), element);
    }
    return elements;
  }

  private static boolean isUnique(JsonNode list, String field) {
    Set<String> seen = new HashSet<>();
    for (JsonNode element : list) {
      if (!seen.add(element.path(field).textValue())) {
        return false;
      }
    }
    return true;
  }

  /**
   * A flag's name, with the prefix of keys that it is about, as in {@code --flag=/prefix/=value};
   * any other text stands for itself.
   */
  private static String flag(JsonNode element) {
    String text = element.textValue();
    int equals = text.indexOf('=');
    if (text.startsWith("/", equals + 1) && text.lastIndexOf('=') > equals) {
      equals = text.lastIndexOf('=');
    }
    return text.startsWith("--") && equals > 0 ? text.substring(0, equals) : text;
  }
}
