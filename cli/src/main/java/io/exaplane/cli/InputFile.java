// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** A file of inputs by name, in YAML or JSON. */
final class InputFile {
  private static final String NEXT = "write one input on each line, for example 'nodes: 5000'";

  private InputFile() {}

  /**
   * The content of a file; - is the standard input. Numbers keep their digits: 1.30 is not 1.3.
   *
   * @throws InvalidInputException if it can't be read, or has no inputs by name
   */
  static Map<String, Object> read(Path file) {
    return read("file", file, NEXT);
  }

  /** The same of a file that another option names. */
  static Map<String, Object> read(String option, Path file, String next) {
    String text = TextFiles.readSmall(option, file);
    List<Object> documents = new ArrayList<>();
    try {
      YamlTree yaml = YamlTree.ofInputs(new StringReader(text));
      while (yaml.nextDocument()) {
        Object document = yaml.value();
        if (document != null) {
          documents.add(document);
        }
      }
    } catch (MarkedYAMLException e) {
      String what =
          "is not valid YAML or JSON: %s at line: %d, column: %d"
              .formatted(
                  e.getProblem().replaceAll("\\p{Cntrl}", " "),
                  e.getProblemMark().getLine() + 1,
                  e.getProblemMark().getColumn() + 1);
      throw new InvalidInputException(option, file.toString(), what, next);
    } catch (YAMLException e) {
      throw new InvalidInputException(
          option, file.toString(), "is not valid YAML or JSON: " + e.getMessage(), next);
    }
    if (documents.isEmpty()) {
      throw new InvalidInputException(option, file.toString(), "is empty", next);
    }
    if (documents.size() > 1) {
      throw new InvalidInputException(
          option,
          file.toString(),
          "contains %d documents, but only one is read".formatted(documents.size()),
          "remove the others");
    }
    if (!(documents.getFirst() instanceof Map<?, ?>)) {
      throw new InvalidInputException(
          option, file.toString(), "must contain names with values", next);
    }
    @SuppressWarnings("unchecked")
    Map<String, Object> content = (Map<String, Object>) documents.getFirst();
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
