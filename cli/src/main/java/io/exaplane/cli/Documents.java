// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Answers for machines. */
final class Documents {
  private static final Pattern OBJECT = Pattern.compile("(?m)^(?:apiVersion|kind):\\s");

  private Documents() {}

  static void print(PrintWriter out, TuneCommand.Format format, Object document) {
    out.print(format == TuneCommand.Format.JSON ? json(document) : yaml(document));
    out.flush();
  }

  /** The documents of a text in YAML or JSON, as many as are; none if it is neither. */
  static List<Object> parsed(String text) {
    List<Object> documents = new ArrayList<>();
    if (text.indexOf('\0') >= 0) {
      return documents;
    }
    try {
      String bare = text.stripLeading();
      if (bare.startsWith("{") || bare.startsWith("[")) {
        json(bare, documents);
      }
      if (documents.isEmpty()) {
        YamlTree yaml = new YamlTree(new StringReader(text), false);
        while (yaml.nextDocument()) {
          documents.add(yaml.value());
        }
      }
    } catch (YAMLException e) {
      return documents;
    }
    return documents;
  }

  /** Why a text that begins like an object in YAML is none; nothing if it is one, or another. */
  static Optional<String> fault(String text) {
    if (text.indexOf('\0') >= 0 || !OBJECT.matcher(text).find()) {
      return Optional.empty();
    }
    try {
      YamlTree yaml = new YamlTree(new StringReader(text), false);
      while (yaml.nextDocument()) {
        yaml.value();
      }
      return Optional.empty();
    } catch (MarkedYAMLException e) {
      return Optional.of(
          "is not valid YAML: %s at line: %d, column: %d"
              .formatted(
                  e.getProblem().replaceAll("\\p{Cntrl}", " "),
                  e.getProblemMark().getLine() + 1,
                  e.getProblemMark().getColumn() + 1));
    } catch (YAMLException e) {
      return Optional.of("is not valid YAML: " + e.getMessage());
    }
  }

  /** Documents behind each other, until something else comes. */
  private static void json(String text, List<Object> documents) {
    try (MappingIterator<Object> values =
        new JsonMapper().readerFor(Object.class).readValues(text)) {
      while (values.hasNextValue()) {
        documents.add(values.nextValue());
      }
    } catch (IOException e) {
      // Logs follow the objects of a dump of a cluster.
    }
  }

  static String json(Object document) {
    return write(
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writer(),
            document)
        + "\n";
  }

  /** JSON without line breaks, for answers that come one by one. */
  static String line(Object document) {
    return write(new JsonMapper().writer(), document);
  }

  static String yaml(Object document) {
    return write(
        YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build()
            .writer(),
        document);
  }

  private static String write(ObjectWriter writer, Object document) {
    try {
      return writer.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the answer cannot be written", e);
    }
  }
}
