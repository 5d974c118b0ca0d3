// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * How many objects an overlay may have, and how many characters, with all that patches, labels,
 * names and images write into them. A patch stands once in a file and is written into each chosen
 * object, so the room is taken before anything is copied. One thread.
 */
final class Room {
  /** Of a key or a string: quotes, and a colon or comma. */
  private static final int QUOTED = 3;

  private final long mostCharacters;
  private final int mostObjects;
  private long characters;
  private int objects;

  Room(long mostCharacters, int mostObjects) {
    this.mostCharacters = mostCharacters;
    this.mostObjects = mostObjects;
  }

  /**
   * Takes characters.
   *
   * @param at file and field that ask for them, for messages
   * @param more characters of JSON, about
   * @throws OverlayException when they do not fit
   */
  void take(String at, long more) throws OverlayException {
    if (more > mostCharacters - characters) {
      throw new OverlayException(
          at,
          Long.toString(more),
          "characters are too many: the files may have %d in total, counted once for each overlay that names them, with the text that overlays add"
              .formatted(mostCharacters),
          "split the overlay, or let fewer objects be chosen");
    }
    characters += more;
  }

  /** Takes the same characters several times. */
  void take(String at, long each, int times) throws OverlayException {
    // Both are lengths in memory, so the product fits.
    take(at, each * times);
  }

  /** How many objects may still come. */
  int objectsLeft() {
    return mostObjects - objects;
  }

  /** Takes the objects of a file. */
  void takeObjects(String file, int more) throws OverlayException {
    if (more > objectsLeft()) {
      throw new OverlayException(
          file,
          "",
          "has too many objects: the files may have %d in total, counted once for each overlay that names them"
              .formatted(mostObjects),
          "split the overlay");
    }
    objects += more;
  }

  /** About how many characters a value has as JSON. */
  static long of(JsonNode value) {
    if (!value.isContainerNode()) {
      return QUOTED + value.asText().length();
    }
    long all = QUOTED;
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> one : value.properties()) {
        all += QUOTED + one.getKey().length() + of(one.getValue());
      }
    } else {
      for (JsonNode one : value) {
        all += of(one);
      }
    }
    return all;
  }

  /** The same of labels. */
  static long of(Map<String, String> pairs) {
    return pairs.entrySet().stream()
        .mapToLong(one -> 2L * QUOTED + one.getKey().length() + one.getValue().length())
        .sum();
  }
}
