// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.IdentityHashMap;
import java.util.Map;

/** One document of a file, with the lines of its upper maps. Used by one thread. */
final class Document {
  /** Maps up to this level know their lines: the document, {@code items}, and each item. */
  private static final int LEVELS = 3;

  /**
   * Levels of maps and lists, at most: a bound of the stack. Schemas of definitions need some 60.
   */
  static final int MOST_LEVELS = 500;

  private final Map<JsonNode, Integer> lines = new IdentityHashMap<>();
  private JsonNode value;
  private int line;

  /** Ends the reading. */
  void set(JsonNode whole, int at) {
    value = whole;
    line = at;
  }

  /** Remembers a line where that is worth it. */
  void begin(JsonNode node, int level, int at) {
    if (level <= LEVELS) {
      lines.put(node, at);
    }
  }

  JsonNode value() {
    return value;
  }

  /** Line of a map, or that of the document. */
  int line(JsonNode node) {
    return lines.getOrDefault(node, line);
  }
}
