// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.tuning.model.InvalidInputException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A file of inputs by name, in YAML or JSON. */
final class InputFile {
  private static final String NEXT = "write one input on each line, as 'nodes: 5000'";

  private InputFile() {}

  /**
   * The content of a file; - is the standard input.
   *
   * @throws InvalidInputException if it can't be read, or has no inputs by name
   */
  static Map<String, Object> read(Path file) {
    Map<String, Object> content;
    try {
      // Keeps 1.30 from becoming 1.3.
      content =
          YAMLMapper.builder()
              .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
              .build()
              .readValue(TextFiles.readSmall("file", file), new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new InvalidInputException(
          "file", file.toString(), "is not valid YAML or JSON: " + e.getOriginalMessage(), NEXT);
    }
    if (content == null) {
      throw new InvalidInputException("file", file.toString(), "is empty", NEXT);
    }
    return content;
  }

  /** A value as on the command line: lists are written with commas. */
  static String text(Object value) {
    return value instanceof Iterable<?> list
        ? StreamSupport.stream(list.spliterator(), false)
            .map(String::valueOf)
            .collect(Collectors.joining(","))
        : value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value);
  }

  /** A name that is not an input's. */
  static InvalidInputException unknown(String key) {
    return new InvalidInputException(
        "file", key, "is not a known input", "use the names of the options; see --help");
  }
}
