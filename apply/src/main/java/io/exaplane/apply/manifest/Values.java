// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of a text, read as strictly as manifests are, for those who change them before they
 * are applied.
 */
public final class Values {
  private Values() {}

  /**
   * A value: an object, or whatever else a document holds.
   *
   * @param value the caller's own; aliases are copies
   * @param line first line, from 1
   */
  public record Value(JsonNode value, int line) {}

  /**
   * What a text holds.
   *
   * @param values one for each object; lists of objects are taken apart
   * @param problems what could not be read
   */
  public record Content(List<Value> values, List<Problem> problems) {}

  /**
   * Reads a text.
   *
   * @param file name, for messages; {@code .json} is read as JSON only
   * @param text YAML or JSON, any number of documents
   * @return what the text holds
   */
  public static Content read(String file, String text) {
    return read(file, text, Integer.MAX_VALUE);
  }

  /**
   * Reads the beginning of a text.
   *
   * @param file name, as in {@link #read(String, String)}
   * @param text as there
   * @param most values; if there are more, one more is read, and nothing behind it
   * @return what the text holds
   */
  public static Content read(String file, String text, int most) {
    List<Value> values = new ArrayList<>();
    Texts texts =
        new Texts(most, Long.MAX_VALUE) {
          @Override
          void object(String at, int line, JsonNode value) {
            values.add(new Value(value.deepCopy(), line));
          }
        };
    texts.take(file, text);
    return new Content(values, texts.problems());
  }
}
